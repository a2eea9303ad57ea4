import * as z from "zod";

import {
  type Endpoint,
  type NoInput,
  type PagedEndpoint,
  type PageQuery,
  pageOf,
} from "../endpoint.ts";
import { type ShippingTemplateId, shippingTemplateId } from "../ids.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../limits.ts";
import { limit, page } from "../query-fields.ts";
import {
  type ShippingTemplateCreate,
  shippingTemplateCreate,
  type ShippingTemplateUpdate,
  shippingTemplateUpdate,
} from "./shipping-template-input.ts";

/**
 * Section Resources, Shipping template. Addresses and the elements of the company lists are not
 * shown; `use_contractred_company` is spelled so.
 */
export interface ShippingTemplate {
  readonly id: ShippingTemplateId;
  readonly template_name: string;
  readonly all_country?: boolean | null | undefined;
  readonly free_shipping?: boolean | null | undefined;
  readonly shipping_note?: string | null | undefined;
  readonly shipping_time?: number | null | undefined;
  readonly suitable_cities?: readonly unknown[] | null | undefined;
  readonly use_contractred_company?: boolean | null | undefined;
  readonly shipping_with_together?: boolean | null | undefined;
  readonly shipping_companies?: readonly unknown[] | null | undefined;
  readonly return_companies?: readonly unknown[] | null | undefined;
  readonly sender_address?: unknown;
  readonly return_address?: unknown;
  readonly common_address?: boolean | null | undefined;
  readonly created_at?: unknown;
}

/** Filters of the template listing. */
export interface ShippingTemplateQuery extends PageQuery {
  readonly ids?: readonly ShippingTemplateId[] | undefined;
  /** Searches by name. */
  readonly search?: string | undefined;
}

/** Section Shipping templates, create and update: the answer. */
export interface ShippingTemplateResult {
  readonly success: boolean;
}

/** The shipping template calls. */
export interface ShippingTemplateEndpoints {
  /** Section Shipping templates: GET /v1.0/shipping-template/store/:storeId. */
  readonly list: PagedEndpoint<ShippingTemplateQuery, ShippingTemplate>;
  /** Section Shipping templates: POST /v1.0/shipping-template/create/store/:storeId. */
  readonly create: Endpoint<ShippingTemplateCreate, ShippingTemplateResult>;
  /** Section Shipping templates: POST /v1.0/shipping-template/update/store/:storeId. */
  readonly update: Endpoint<ShippingTemplateUpdate, ShippingTemplateResult>;
  /**
   * Section Shipping templates: GET /v1.0/shipping-template/address/store/:storeId. Neither its
   * parameters nor its answer are shown.
   */
  readonly addresses: Endpoint<NoInput, unknown>;
}

export const shippingTemplateEndpoints: ShippingTemplateEndpoints = {
  list: {
    method: "GET",
    path: "/shipping-template/store/:storeId",
    versions: ["v1.0"],
    permission: "store",
    effect: "read",
    paging: { defaultSize: DEFAULT_PAGE_SIZE, maxSize: MAX_PAGE_SIZE },
    section: "Shipping templates",
    summary: "List the store's shipping templates.",
    input: z.object({
      limit,
      page,
      ids: z.array(shippingTemplateId).optional(),
      search: z.string().optional(),
    }),
    data: pageOf(
      z.looseObject({
        id: shippingTemplateId,
        template_name: z.string(),
        all_country: z.boolean().nullish(),
        free_shipping: z.boolean().nullish(),
        shipping_note: z.string().nullish(),
        shipping_time: z.int().nullish(),
        suitable_cities: z.array(z.unknown()).nullish(),
        use_contractred_company: z.boolean().nullish(),
        shipping_with_together: z.boolean().nullish(),
        shipping_companies: z.array(z.unknown()).nullish(),
        return_companies: z.array(z.unknown()).nullish(),
        sender_address: z.unknown().optional(),
        return_address: z.unknown().optional(),
        common_address: z.boolean().nullish(),
        created_at: z.unknown().optional(),
      }),
    ),
  },
  create: {
    method: "POST",
    path: "/shipping-template/create/store/:storeId",
    versions: ["v1.0"],
    permission: "store",
    effect: "create",
    paging: undefined,
    section: "Shipping templates",
    summary: "Create a shipping template; the answer does not tell its id.",
    input: shippingTemplateCreate,
    data: z.looseObject({ success: z.boolean() }),
  },
  update: {
    method: "POST",
    path: "/shipping-template/update/store/:storeId",
    versions: ["v1.0"],
    permission: "store",
    effect: "set",
    paging: undefined,
    section: "Shipping templates",
    summary: "Set fields of a shipping template.",
    input: shippingTemplateUpdate,
    data: z.looseObject({ success: z.boolean() }),
  },
  addresses: {
    method: "GET",
    path: "/shipping-template/address/store/:storeId",
    versions: ["v1.0"],
    permission: "store",
    effect: "read",
    paging: undefined,
    section: "Shipping templates",
    summary: "List the addresses that the store's templates use.",
    input: z.object({}),
    data: z.unknown(),
  },
};
