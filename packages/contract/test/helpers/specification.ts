/**
 * Every call of the specification, carried over by hand, for comparison with the endpoint table.
 */

/** How the specification names a parameter's type. "Number" takes fractions, "Integer" does not. */
export type Kind =
  | "String"
  | "Integer"
  | "Number"
  | "Boolean"
  | "ObjectId"
  | "ObjectId list"
  | "Array"
  | "Array or String"
  | "Array or ObjectId";

export interface Parameter {
  readonly kind: Kind;
  readonly required: boolean;
  readonly default?: string | number | boolean;
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly (string | number)[];
}

export interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly versions: readonly string[];
  readonly permission: "none" | "general" | "store";
  readonly paged: boolean;
  readonly parameters: Readonly<Record<string, Parameter>>;
}

type Facts = Omit<Parameter, "kind" | "required">;

const must = (kind: Kind, facts: Facts = {}): Parameter => ({ kind, required: true, ...facts });
const may = (kind: Kind, facts: Facts = {}): Parameter => ({ kind, required: false, ...facts });

const text = may("String");
const whole = may("Integer");
const amount = may("Number");
const ids = may("ObjectId list");
const one = may("Integer", { values: [1] });
const page = may("Integer", { default: 1, min: 1 });
const paging = { limit: may("Integer", { default: 20, min: 1, max: 50 }), page };
const byDate = may("String", { values: ["ascending", "descending"], default: "descending" });
const period = { start_date: whole, end_date: whole };
const commentFilters = {
  date_created: whole,
  ...period,
  sort_by_date: byDate,
  satisfaction: may("String", { values: ["happy", "unhappy", "neutral"] }),
  rate: whole,
  max_rate: whole,
  min_rate: whole,
};

const template = {
  template_name: "String",
  shipping_note: "String",
  sender_address: "ObjectId",
  return_address: "ObjectId",
  shipping_time: "Integer",
  suitable_cities: "Array or String",
  min_price: "Number",
  shipping_companies: "Array or ObjectId",
  return_companies: "Array or ObjectId",
} as const;
const switches = { free_shipping: true, use_contractred_company: false, common_address: true };
const moreSwitches = { conditional_shipping: false, shipping_with_together: false };

const both = ["v1.1", "v1.0"];
const old = ["v1.0"];

const get = (
  path: string,
  versions: readonly string[],
  parameters: Call["parameters"] = {},
): Call => ({
  method: "GET",
  path,
  versions,
  permission: path.includes(":storeId") ? "store" : "general",
  paged: "limit" in parameters,
  parameters,
});

const post = (path: string, versions: readonly string[], parameters: Call["parameters"]): Call => ({
  method: "POST",
  path,
  versions,
  permission: "store",
  paged: false,
  parameters,
});

const updatable = {
  title: may("String"),
  sub_title: may("String"),
  brand_id: may("ObjectId"),
  brand_model: may("String"),
  description: may("String"),
  price: may("Number"),
};

/** Every call, in the order of the specification. */
export const SPECIFICATION: readonly Call[] = [
  {
    method: "POST",
    path: "/app/auth/access",
    versions: [],
    permission: "none",
    paged: false,
    parameters: { client_key: must("String"), client_secret: must("String") },
  },

  get("/order/status-codes", both),
  // The specification lists all four as required; `OrderQuery` of the contract says how that is
  // read.
  get("/order/store/:storeId", both, {
    ...period,
    days: whole,
    // 1 to 16; 0 stands in an example request.
    status: may("Integer", { min: 0, max: 16 }),
    updates_only: may("Integer", { values: [0, 1], default: 0 }),
  }),
  post("/order/postpone/store/:storeId", both, {
    package_id: must("String"),
    reason: must("String"),
  }),
  post("/order/accept/store/:storeId", both, { package_id: must("String") }),
  post("/order/accept-return/store/:storeId", both, {
    package_id: must("String"),
    message: must("String"),
  }),
  post("/order/reject-return/store/:storeId", both, {
    package_id: must("String"),
    reason: must("String"),
  }),

  get("/product/search", both, {
    type: must("String", { values: ["b2c", "c2c"] }),
    search_key: must("String"),
    ...paging,
  }),
  get("/product/store/:storeId", both, {
    ...paging,
    ...period,
    sort_by_date: byDate,
    ids,
    product_code: text,
    title: text,
    status: may("String", { values: ["approved", "passive", "veto"], default: "approved" }),
  }),
  post("/product/add/store/:storeId", both, {
    title: must("String"),
    sub_title: must("String"),
    brand_id: must("ObjectId"),
    brand_model: must("String"),
    description: must("String"),
    currency: may("String", { values: ["TL", "USD", "EUR"], default: "TL" }),
    price: must("Number"),
    product_code: must("String"),
    warranty_type: must("Integer", { values: [1, 2, 3, 4] }),
    warranty_period: must("Integer", { values: [0, 12, 24, 36] }),
    has_discount: must("Boolean"),
    discount_type: may("Integer", { values: [1, 2, 3] }),
    discount_value: may("Integer"),
    category_id: must("ObjectId"),
    shipping_template_id: must("ObjectId"),
    stock_count: must("Integer"),
    product_condition: may("String", { values: ["new", "used"], default: "new" }),
    images: must("Array"),
    custom_order_input: may("Boolean"),
  }),
  post("/product/update/store/:storeId", both, { product_id: must("ObjectId"), ...updatable }),

  get("/comment/commented-products/store/:storeId", both, {
    ...paging,
    comment_count: whole,
    max_comment_count: whole,
    min_comment_count: whole,
    sort_by_comment_count: byDate,
  }),
  get("/comment/product-comments/store/:storeId", both, {
    product_id: must("ObjectId"),
    limit: may("Integer", { default: 20, min: 1 }),
    page,
    ...commentFilters,
    commented_at_product_details: one,
    commented_at_order: one,
  }),
  get("/comment/store-comments/store/:storeId", both, { ...paging, ...commentFilters }),

  get("/category/", both, { ...paging, ids, search: text }),
  get("/category/get-by-external-id/:externalCategoryId", both, {
    externalCategoryId: must("Integer"),
  }),
  get("/category/get-properties/:categoryId", both, { categoryId: must("ObjectId") }),

  get("/brand/", both, { category_id: must("ObjectId"), ...paging, ids, name: text }),
  get("/brand/brand-model", both, {
    category_id: must("ObjectId"),
    brand_id: must("ObjectId"),
    ...paging,
  }),

  get("/shipping-template/store/:storeId", old, { ...paging, ids, search: text }),
  post("/shipping-template/create/store/:storeId", old, {
    ...Object.fromEntries(
      Object.entries(template).map(([name, kind]) => [
        name,
        /^(?:shipping_note|return_address|suitable_cities|min_price)$/u.test(name)
          ? may(kind)
          : must(kind),
      ]),
    ),
    all_country: must("Boolean", { default: true }),
    ...Object.fromEntries(
      Object.entries({ ...switches, ...moreSwitches }).map(([name, value]) => [
        name,
        may("Boolean", { default: value }),
      ]),
    ),
  }),
  post("/shipping-template/update/store/:storeId", old, {
    shipping_template_id: must("ObjectId"),
    ...Object.fromEntries(Object.entries(template).map(([name, kind]) => [name, may(kind)])),
    ...Object.fromEntries(
      ["all_country", ...Object.keys(switches), ...Object.keys(moreSwitches)].map((name) => [
        name,
        may("Boolean"),
      ]),
    ),
  }),
  get("/shipping-template/address/store/:storeId", old),

  get("/shipping/companies/all", old),
  get("/shipping/companies/contracted", old),
  get("/shipping/get-prices/store/:storeId", old, { package_id: must("String") }),
  post("/shipping/generate-shipping-code/store/:storeId", old, {
    package_id: must("String"),
    company_id: must("String"),
  }),

  get("/question/store/:storeId", old, {
    ...paging,
    ...period,
    sort_by_date: byDate,
    answered: one,
    unanswered: one,
    title: text,
    questions_for_product: one,
    questions_for_store: one,
  }),
  post("/question/reply/store/:storeId", old, {
    product_question_id: must("ObjectId"),
    title: text,
    message: must("String"),
  }),

  get("/payment/store/:storeId", old, {
    ...paging,
    date_created: whole,
    ...period,
    status: may("Integer", { values: [1, 2, 3] }),
    order_code: whole,
    ids,
    customer_name: text,
    store_payout: amount,
    min_store_payout: amount,
    max_store_payout: amount,
    shipping_price: amount,
    min_shipping_price: amount,
    max_shipping_price: amount,
    total_paid_price: amount,
    min_total_paid_price: amount,
    max_total_paid_price: amount,
  }),

  get("/city/", both),
];

/** Where the table is narrower than the specification, on purpose: path and parameter -> kind. */
export const NARROWED: Readonly<Record<string, Kind>> = {
  // Minor units are whole.
  "/product/add/store/:storeId price": "Integer",
  "/product/update/store/:storeId price": "Integer",
  // The id of a shipping company, which is an ObjectId where companies are listed.
  "/shipping/generate-shipping-code/store/:storeId company_id": "ObjectId",
};

/** Fields that add and update take although the specification does not document them. */
export const ASSUMED: Readonly<Record<string, readonly string[]>> = {
  "/product/add/store/:storeId": ["properties"],
  "/product/update/store/:storeId": [
    "properties",
    "currency",
    "product_code",
    "warranty_type",
    "warranty_period",
    "has_discount",
    "discount_type",
    "discount_value",
    "category_id",
    "shipping_template_id",
    "stock_count",
    "product_condition",
    "images",
    "custom_order_input",
  ],
};
