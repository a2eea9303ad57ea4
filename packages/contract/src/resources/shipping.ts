/**
 * The input of the create and update calls of shipping templates, with the rules between fields.
 */

import * as z from "zod";

import {
  DEFAULT_PAGE_SIZE,
  type Endpoint,
  limit,
  MAX_PAGE_SIZE,
  type NoInput,
  type ObjectSchema,
  page,
  type PagedEndpoint,
  pageOf,
  type PageQuery,
  withDefault,
} from "../endpoint.ts";
import { answeredPrice, idSchemas, type Id } from "../ids.ts";

/** Section Resources, Shipping company. */
interface ShippingCompany {
  readonly id: Id<"shippingCompany">;
  readonly name: string;
  readonly has_contract_with_platform?: boolean | null | undefined;
}

/** Price of a contracted company for a package. The unit of `price` is not stated. */
interface ShippingPrice {
  readonly id: Id<"shippingCompany">;
  readonly name: string;
  readonly price: number;
}

/** Section Resources, generated code; `shippingCode` is spelled so. */
interface ShippingCode {
  readonly shipping_company?: string | null | undefined;
  readonly shippingCode: string;
}

/** Body of the call that generates a shipping code. */
interface ShippingCodeRequest {
  readonly package_id: Id<"package">;
  readonly company_id: Id<"shippingCompany">;
}

/** The shipping calls. */
export interface ShippingEndpoints {
  /** Section Shipping: GET /v1.0/shipping/companies/all. */
  readonly companies: Endpoint<NoInput, readonly ShippingCompany[]>;
  /** Section Shipping: GET /v1.0/shipping/companies/contracted. */
  readonly contractedCompanies: Endpoint<NoInput, readonly ShippingCompany[]>;
  /** Section Shipping: GET /v1.0/shipping/get-prices/store/:storeId. */
  readonly prices: Endpoint<{ readonly package_id: Id<"package"> }, readonly ShippingPrice[]>;
  /** Section Shipping: POST /v1.0/shipping/generate-shipping-code/store/:storeId. */
  readonly generateCode: Endpoint<ShippingCodeRequest, ShippingCode>;
}

const companies = z.array(
  z.looseObject({
    id: idSchemas.shippingCompany,
    name: z.string(),
    has_contract_with_platform: z.boolean().nullish(),
  }),
);

export const shippingEndpoints: ShippingEndpoints = {
  companies: {
    method: "GET",
    path: "/shipping/companies/all",
    versions: ["v1.0"],
    permission: "general",
    effect: "read",
    paging: undefined,
    section: "Shipping",
    summary: "List every shipping company.",
    input: z.object({}),
    data: companies,
  },
  contractedCompanies: {
    method: "GET",
    path: "/shipping/companies/contracted",
    versions: ["v1.0"],
    permission: "general",
    effect: "read",
    paging: undefined,
    section: "Shipping",
    summary: "List the shipping companies that have a contract with the platform.",
    input: z.object({}),
    data: companies,
  },
  prices: {
    method: "GET",
    path: "/shipping/get-prices/store/:storeId",
    versions: ["v1.0"],
    permission: "store",
    effect: "read",
    paging: undefined,
    section: "Shipping",
    summary: "What the contracted companies ask for a package.",
    input: z.object({ package_id: idSchemas.package }),
    data: z.array(
      z.looseObject({ id: idSchemas.shippingCompany, name: z.string(), price: answeredPrice }),
    ),
  },
  generateCode: {
    method: "POST",
    path: "/shipping/generate-shipping-code/store/:storeId",
    versions: ["v1.0"],
    permission: "store",
    effect: "create",
    paging: undefined,
    section: "Shipping",
    summary: "Generate the code under which a company takes a package.",
    input: z.object({ package_id: idSchemas.package, company_id: idSchemas.shippingCompany }),
    data: z.looseObject({
      shipping_company: z.string().nullish(),
      shippingCode: z.string().min(1),
    }),
  },
};

/** Body of the create call (section Shipping templates). */
interface ShippingTemplateCreate {
  readonly template_name: string;
  /** @default true */
  readonly free_shipping?: boolean | undefined;
  readonly shipping_note?: string | undefined;
  readonly sender_address: Id<"address">;
  /** Required when `common_address` is false. */
  readonly return_address?: Id<"address"> | undefined;
  /** The specification does not state the unit; days are assumed. */
  readonly shipping_time: number;
  /** Ships to all cities. Required, although the specification also names true as its default. */
  readonly all_country: boolean;
  /** Required when `all_country` is false. Whether ids or names are meant is not shown. */
  readonly suitable_cities?: string | readonly (string | number)[] | undefined;
  /** Ships with a company that the platform has a contract with; spelled so. @default false */
  readonly use_contractred_company?: boolean | undefined;
  /** Goods leave from and come back to one address. @default true */
  readonly common_address?: boolean | undefined;
  /** @default false */
  readonly conditional_shipping?: boolean | undefined;
  /**
   * The amount from which conditional shipping applies; only with `conditional_shipping`. The unit
   * is not stated.
   */
  readonly min_price?: number | undefined;
  /** @default false */
  readonly shipping_with_together?: boolean | undefined;
  readonly shipping_companies: Id<"shippingCompany"> | readonly Id<"shippingCompany">[];
  readonly return_companies: Id<"shippingCompany"> | readonly Id<"shippingCompany">[];
}

/** Fields of a template to set; one that is absent is left as it is. */
type ShippingTemplateChanges = {
  readonly [Field in keyof ShippingTemplateCreate]?: ShippingTemplateCreate[Field] | undefined;
};

/** Body of the update call (section Shipping templates). */
interface ShippingTemplateUpdate extends ShippingTemplateChanges {
  readonly shipping_template_id: Id<"shippingTemplate">;
}

const companyIds = z.union([idSchemas.shippingCompany, z.array(idSchemas.shippingCompany).min(1)]);

const shape = {
  template_name: z.string().min(1),
  free_shipping: z.boolean().optional(),
  shipping_note: z.string().optional(),
  sender_address: idSchemas.address,
  return_address: idSchemas.address
    .optional()
    .meta({ description: "Required when common_address is false" }),
  shipping_time: z.int().nonnegative(),
  all_country: z.boolean(),
  suitable_cities: z
    .union([z.string().min(1), z.array(z.union([z.string().min(1), z.number()])).min(1)])
    .optional()
    .meta({ description: "Required when all_country is false" }),
  use_contractred_company: z.boolean().optional(),
  common_address: z.boolean().optional(),
  conditional_shipping: z.boolean().optional(),
  min_price: z
    .number()
    .nonnegative()
    .optional()
    .meta({ description: "Only with conditional_shipping" }),
  shipping_with_together: z.boolean().optional(),
  shipping_companies: companyIds,
  return_companies: companyIds,
};

/** Defaults of the create call only: an update leaves alone the fields that it does not name. */
const createDefaults = {
  free_shipping: withDefault(z.boolean(), true),
  all_country: z.boolean().meta({ default: true }),
  use_contractred_company: withDefault(z.boolean(), false),
  common_address: withDefault(z.boolean(), true),
  conditional_shipping: withDefault(z.boolean(), false),
  shipping_with_together: withDefault(z.boolean(), false),
};

type Payload = z.core.ParsePayload<ShippingTemplateChanges>;

function refuse({ value, issues }: Payload, path: string, message: string): void {
  issues.push({ code: "custom", input: value, path: [path], message });
}

function checkChanges(payload: Payload): void {
  const { common_address, return_address, all_country, suitable_cities } = payload.value;
  if (common_address === false && return_address === undefined) {
    refuse(payload, "return_address", "required when common_address is false");
  }
  if (all_country === false && suitable_cities === undefined) {
    refuse(payload, "suitable_cities", "required when all_country is false");
  }
  const { conditional_shipping, min_price } = payload.value;
  if (conditional_shipping === false && min_price !== undefined) {
    refuse(payload, "min_price", "only with conditional_shipping");
  }
}

/**
 * Refuses `min_price` on a new template without conditional shipping. An update is not checked,
 * because the stored template may have conditional shipping already.
 */
function checkNew(payload: Payload): void {
  checkChanges(payload);
  const { conditional_shipping, min_price } = payload.value;
  if (conditional_shipping === undefined && min_price !== undefined) {
    refuse(payload, "min_price", "only with conditional_shipping");
  }
}

const shippingTemplateCreate: ObjectSchema<ShippingTemplateCreate> = z
  .object({ ...shape, ...createDefaults })
  .check(checkNew);

const shippingTemplateUpdate: ObjectSchema<ShippingTemplateUpdate> = z
  .object(shape)
  .partial()
  .extend({ shipping_template_id: idSchemas.shippingTemplate })
  .check(checkChanges);

/**
 * Section Resources, Shipping template. Addresses and the elements of the company lists are not
 * shown; `use_contractred_company` is spelled so.
 */
export interface ShippingTemplate {
  readonly id: Id<"shippingTemplate">;
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
interface ShippingTemplateQuery extends PageQuery {
  readonly ids?: readonly Id<"shippingTemplate">[] | undefined;
  /** Searches by name. */
  readonly search?: string | undefined;
}

/** Section Shipping templates, create and update: the answer. */
interface ShippingTemplateResult {
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
      ids: z.array(idSchemas.shippingTemplate).optional(),
      search: z.string().optional(),
    }),
    data: pageOf(
      z.looseObject({
        id: idSchemas.shippingTemplate,
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

/**
 * An element of the city list. The specification says only that cities come with their districts:
 * no field of a city is shown, so none is required, and districts are left as they come.
 */
export interface City {
  readonly id?: string | number | null | undefined;
  readonly name?: string | null | undefined;
  readonly districts?: readonly unknown[] | null | undefined;
}

/** The city call. */
export interface CityEndpoints {
  /** Section Cities: GET /v1.1/city/. */
  readonly list: Endpoint<NoInput, readonly City[]>;
}

export const cityEndpoints: CityEndpoints = {
  list: {
    method: "GET",
    path: "/city/",
    versions: ["v1.1", "v1.0"],
    permission: "general",
    effect: "read",
    paging: undefined,
    section: "Cities",
    summary: "List the cities with their districts.",
    input: z.object({}),
    data: z.array(
      z.looseObject({
        id: z.union([z.string(), z.number()]).nullish(),
        name: z.string().nullish(),
        districts: z.array(z.unknown()).nullish(),
      }),
    ),
  },
};
