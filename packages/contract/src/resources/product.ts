/** The fields that the product search and the store's own listing share. */

import * as z from "zod";

import {
  CURRENCIES,
  type Currency,
  DEFAULT_PAGE_SIZE,
  DISCOUNT_RATE,
  type DiscountType,
  type Endpoint,
  limit,
  LISTING_STATUSES,
  type ListingStatus,
  MAX_PAGE_SIZE,
  page,
  type PagedEndpoint,
  pageOf,
  type PageQuery,
  PRODUCT_CONDITIONS,
  type ProductCondition,
  type SortOrder,
  sortOrder,
  STORE_TYPES,
  type StoreType,
  timestamp,
  type WarrantyPeriod,
  type WarrantyType,
  withDefault,
} from "../endpoint.ts";
import {
  answeredPrice,
  idSchemas,
  priceMinor,
  type Id,
  type PriceMinor,
  type ProductId,
} from "../ids.ts";

/** A property as listings answer with it (section Resources, Product). */
interface ProductProperty {
  readonly property?: string | null | undefined;
  readonly property_id?: Id<"property"> | null | undefined;
  readonly option?: string | null | undefined;
  readonly option_id?: Id<"propertyOption"> | null | undefined;
}

/** The fields that every product listing shares (section Resources, Product). */
interface ProductFacts {
  readonly id: ProductId;
  readonly title?: string | null | undefined;
  readonly subtitle?: string | null | undefined;
  readonly product_code?: string | null | undefined;
  readonly category_name?: string | null | undefined;
  readonly brand_id?: Id<"brand"> | null | undefined;
  readonly brand_name?: string | null | undefined;
  readonly warranty?: string | null | undefined;
  readonly warranty_time?: string | null | undefined;
  readonly warranty_type?: number | null | undefined;
  readonly warranty_period?: number | null | undefined;
  readonly stock?: number | null | undefined;
  readonly sid?: number | null | undefined;
  readonly description?: string | null | undefined;
  readonly item_type?: string | null | undefined;
  readonly properties?: readonly ProductProperty[] | null | undefined;
  readonly variants?: readonly unknown[] | null | undefined;
  readonly currency?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly price?: number | null | undefined;
  readonly has_discount?: boolean | null | undefined;
  readonly paid_price?: number | null | undefined;
  readonly images?: readonly unknown[] | null | undefined;
}

/** The schema of each field of `ProductFacts`. */
const productFacts: {
  readonly [Fact in keyof ProductFacts]-?: z.ZodType<ProductFacts[Fact]>;
} = {
  id: idSchemas.product,
  title: z.string().nullish(),
  subtitle: z.string().nullish(),
  product_code: z.string().nullish(),
  category_name: z.string().nullish(),
  brand_id: idSchemas.brand.nullish(),
  brand_name: z.string().nullish(),
  warranty: z.string().nullish(),
  warranty_time: z.string().nullish(),
  warranty_type: z.number().nullish(),
  warranty_period: z.number().nullish(),
  stock: z.number().nullish(),
  sid: z.number().nullish(),
  description: z.string().nullish(),
  item_type: z.string().nullish(),
  properties: z
    .array(
      z.looseObject({
        property: z.string().nullish(),
        property_id: idSchemas.property.nullish(),
        option: z.string().nullish(),
        option_id: idSchemas.propertyOption.nullish(),
      }),
    )
    .nullish(),
  variants: z.array(z.unknown()).nullish(),
  currency: z.string().nullish(),
  url: z.string().nullish(),
  price: answeredPrice.nullish(),
  has_discount: z.boolean().nullish(),
  paid_price: answeredPrice.nullish(),
  images: z.array(z.unknown()).nullish(),
};

/** Element of the product search (section Resources, Product). The unit of prices is not stated. */
export interface FoundProduct extends ProductFacts {
  readonly store_name?: string | null | undefined;
  readonly category_id?: Id<"category"> | null | undefined;
  readonly discount_amount?: number | null | undefined;
  readonly shipping_price?: number | null | undefined;
}

/** What the product search asks for. */
interface ProductSearchQuery extends PageQuery {
  /** Stores of companies, or sellers among consumers. */
  readonly type: StoreType;
  readonly search_key: string;
}

/** Schema of an element of the product search. */
const foundProduct: z.ZodType<FoundProduct> = z.looseObject({
  ...productFacts,
  store_name: z.string().nullish(),
  category_id: idSchemas.category.nullish(),
  discount_amount: answeredPrice.nullish(),
  shipping_price: answeredPrice.nullish(),
});

/**
 * Element of the store's product listing (section Resources, Product). It has no category_id and
 * no brand model. The unit of `price` is not stated.
 */
export interface StoreProduct extends ProductFacts {
  readonly discount_type?: number | null | undefined;
  readonly discount_value?: number | false | null | undefined;
  readonly shipping_price?: string | null | undefined;
  readonly shipping_template_id?: Id<"shippingTemplate"> | null | undefined;
}

/** Filters of the store's product listing. */
interface StoreProductQuery extends PageQuery {
  /** Products added after, in seconds since 1970. */
  readonly start_date?: number | undefined;
  /** Products added before, in seconds since 1970. */
  readonly end_date?: number | undefined;
  /** Order of addition. @default "descending" */
  readonly sort_by_date?: SortOrder | undefined;
  readonly ids?: readonly ProductId[] | undefined;
  readonly product_code?: string | undefined;
  readonly title?: string | undefined;
  /** @default "approved" */
  readonly status?: ListingStatus | undefined;
}

/** A chosen option; the shape that listings answer with, which the add call does not document. */
export interface PropertyChoice {
  readonly property_id: Id<"property">;
  readonly option_id: Id<"propertyOption">;
}

/** Body of the add call (section Products, add). `properties` is not documented there. */
export interface ProductAdd {
  readonly title: string;
  readonly sub_title: string;
  readonly brand_id: Id<"brand">;
  /** The id of a model, or free text. */
  readonly brand_model: string;
  readonly description: string;
  /** @default "TL" */
  readonly currency?: Currency | undefined;
  readonly price: PriceMinor;
  readonly product_code: string;
  readonly warranty_type: WarrantyType;
  readonly warranty_period: WarrantyPeriod;
  readonly has_discount: boolean;
  readonly discount_type?: DiscountType | undefined;
  /** Type 1: minor units off; type 2: percent, 1-99; type 3: discounted price in minor units. */
  readonly discount_value?: number | undefined;
  readonly category_id: Id<"category">;
  readonly shipping_template_id: Id<"shippingTemplate">;
  readonly stock_count: number;
  /** @default "new" */
  readonly product_condition?: ProductCondition | undefined;
  /** The specification does not show an element; addresses as strings are assumed. */
  readonly images: readonly ProductImage[];
  readonly custom_order_input?: boolean | undefined;
  readonly properties?: readonly PropertyChoice[] | undefined;
}

/** One image of a product, in either of the two shapes that a marketplace may take. */
export type ProductImage = string | { readonly url: string };

/** Section Products, add: the answer. Only `status: true` with an id says that it was added. */
interface ProductAddResult {
  readonly status: boolean;
  readonly message?: string | null | undefined;
  readonly product_id?: ProductId | null | undefined;
}

/** Fields of a product to set; one that is absent is left as it is. */
export type ProductChanges = {
  readonly [Field in keyof ProductAdd]?: ProductAdd[Field] | undefined;
};

/**
 * Body of the update call. The specification documents title, sub_title, brand_id, brand_model,
 * description and price; every other field is assumed to work as in add.
 */
export interface ProductUpdate extends ProductChanges {
  readonly product_id: ProductId;
}

/** Fields of an update that the specification names (section Products, update). */
const DOCUMENTED_UPDATE_FIELDS: ReadonlySet<string> = new Set([
  "title",
  "sub_title",
  "brand_id",
  "brand_model",
  "description",
  "price",
]);

const storeProduct: z.ZodType<StoreProduct> = z.looseObject({
  ...productFacts,
  discount_type: z.number().nullish(),
  discount_value: z.union([answeredPrice, z.literal(false)]).nullish(),
  shipping_price: z.string().nullish(),
  shipping_template_id: idSchemas.shippingTemplate.nullish(),
});

const addShape = {
  title: z.string().min(1),
  sub_title: z.string().min(1),
  brand_id: idSchemas.brand,
  brand_model: z.string().min(1),
  description: z.string().min(1),
  currency: z.enum(CURRENCIES).optional(),
  price: priceMinor.meta({ description: "Minor units: kuruş for TL, cent for USD and EUR" }),
  product_code: z.string().min(1),
  warranty_type: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  warranty_period: z.union([z.literal(0), z.literal(12), z.literal(24), z.literal(36)]),
  has_discount: z.boolean(),
  discount_type: z
    .union([z.literal(1), z.literal(2), z.literal(3)])
    .optional()
    .meta({ description: "Required with has_discount: 1 amount, 2 rate, 3 discounted price" }),
  discount_value: z
    .int()
    .positive()
    .optional()
    .meta({ description: "Required with has_discount; minor units, or 1 to 99 for a rate" }),
  category_id: idSchemas.category,
  shipping_template_id: idSchemas.shippingTemplate,
  stock_count: z.int().nonnegative(),
  product_condition: z.enum(PRODUCT_CONDITIONS).optional(),
  images: z.array(z.union([z.string().min(1), z.object({ url: z.string().min(1) })])).min(1),
  custom_order_input: z.boolean().optional(),
  properties: z
    .array(z.object({ property_id: idSchemas.property, option_id: idSchemas.propertyOption }))
    .optional(),
};

/** Defaults of the add call only: an update leaves alone the fields that it does not name. */
const addDefaults = {
  currency: withDefault(z.enum(CURRENCIES), "TL"),
  product_condition: withDefault(z.enum(PRODUCT_CONDITIONS), "new"),
};

/** Spare fields exclude what identifies a product, what guards compare and what gives its price. */
const SPARE_FIELDS: readonly (keyof StoreProduct)[] = [
  "title",
  "subtitle",
  "category_name",
  "brand_name",
  "warranty",
  "warranty_time",
  "sid",
  "description",
  "item_type",
  "properties",
  "variants",
  "url",
  "images",
  "shipping_price",
];

type DiscountFields = Pick<ProductChanges, "has_discount" | "discount_type" | "discount_value">;

/** Discount fields are required when has_discount is set, and a rate lies within its limits. */
function checkDiscount({ value, issues }: z.core.ParsePayload<DiscountFields>): void {
  const refuse = (path: string, message: string): void => {
    issues.push({ code: "custom", input: value, path: [path], message });
  };
  if (value.has_discount === true) {
    if (value.discount_type === undefined) refuse("discount_type", "required with has_discount");
    if (value.discount_value === undefined) refuse("discount_value", "required with has_discount");
  }
  const { min, max } = DISCOUNT_RATE;
  const rate = value.discount_type === 2 ? value.discount_value : undefined;
  if (rate !== undefined && (rate < min || rate > max)) {
    refuse("discount_value", `a rate is from ${min} to ${max}`);
  }
}

/** The product calls. */
export interface ProductEndpoints {
  /** Section Products: GET /v1.1/product/search. */
  readonly search: PagedEndpoint<ProductSearchQuery, FoundProduct>;
  /** Section Products: GET /v1.1/product/store/:storeId. */
  readonly list: PagedEndpoint<StoreProductQuery, StoreProduct>;
  /** Section Products: POST /v1.1/product/add/store/:storeId. Not idempotent. */
  readonly add: Endpoint<ProductAdd, ProductAddResult>;
  /** Section Products: POST /v1.1/product/update/store/:storeId. The answer is not shown. */
  readonly update: Endpoint<ProductUpdate, unknown>;
}

export const productEndpoints: ProductEndpoints = {
  search: {
    method: "GET",
    path: "/product/search",
    versions: ["v1.1", "v1.0"],
    permission: "general",
    effect: "read",
    paging: { defaultSize: DEFAULT_PAGE_SIZE, maxSize: MAX_PAGE_SIZE },
    section: "Products",
    summary: "Search the products of all stores of one kind.",
    input: z.object({
      type: z.enum(STORE_TYPES),
      search_key: z.string().min(1),
      limit,
      page,
    }),
    data: pageOf(foundProduct),
  },
  list: {
    method: "GET",
    path: "/product/store/:storeId",
    versions: ["v1.1", "v1.0"],
    permission: "store",
    effect: "read",
    paging: { defaultSize: DEFAULT_PAGE_SIZE, maxSize: MAX_PAGE_SIZE },
    section: "Products",
    summary: "List the store's products in one status.",
    input: z.object({
      limit,
      page,
      start_date: timestamp,
      end_date: timestamp,
      sort_by_date: sortOrder,
      ids: z.array(idSchemas.product).optional(),
      product_code: z.string().optional(),
      title: z.string().optional(),
      status: withDefault(z.enum(LISTING_STATUSES), "approved"),
    }),
    data: pageOf(storeProduct),
    spareFields: SPARE_FIELDS,
  },
  add: {
    method: "POST",
    path: "/product/add/store/:storeId",
    versions: ["v1.1", "v1.0"],
    permission: "store",
    effect: "create",
    paging: undefined,
    section: "Products",
    summary: "Add a product to the store.",
    input: z.object({ ...addShape, ...addDefaults }).check(checkDiscount),
    undocumentedFields: ["properties"],
    data: z.looseObject({
      status: z.boolean(),
      message: z.string().nullish(),
      product_id: idSchemas.product.nullish(),
    }),
  },
  update: {
    method: "POST",
    path: "/product/update/store/:storeId",
    versions: ["v1.1", "v1.0"],
    permission: "store",
    effect: "set",
    paging: undefined,
    section: "Products",
    summary: "Set fields of a product of the store.",
    input: z
      .object(addShape)
      .partial()
      .extend({ product_id: idSchemas.product })
      .check(checkDiscount),
    undocumentedFields: Object.keys(addShape).filter(
      (field) => !DOCUMENTED_UPDATE_FIELDS.has(field),
    ),
    data: z.unknown(),
  },
};
