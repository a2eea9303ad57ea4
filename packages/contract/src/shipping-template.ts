import * as z from "zod";

import { type PagedEndpoint, type PageQuery, pageOf } from "./endpoint.ts";
import { type ShippingTemplateId, shippingTemplateId } from "./ids.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "./limits.ts";

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

/** Which templates to list; all of them when empty. */
export interface ShippingTemplateQuery extends PageQuery {
  readonly ids?: readonly ShippingTemplateId[] | undefined;
  /** Searches by name. */
  readonly search?: string | undefined;
}

/** The calls that read shipping templates. */
export interface ShippingTemplateEndpoints {
  /** Section Shipping templates: GET /v1.0/shipping-template/store/:storeId. */
  readonly list: PagedEndpoint<ShippingTemplateQuery, ShippingTemplate>;
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
      limit: z.int().min(1).max(MAX_PAGE_SIZE).optional(),
      page: z.int().min(1).optional(),
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
};
