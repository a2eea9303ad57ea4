/** An input for every row of the endpoint table, and the request that it must become. */

interface ExpectedCall {
  readonly input: Readonly<Record<string, unknown>>;
  /** Method and request target without the token. */
  readonly line: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** `data` of an answer that fits. */
  readonly data: unknown;
}

const PAGE = { total: 0, result: [] };
const product = {
  title: "Cup",
  sub_title: "Blue",
  brand_id: "b-1",
  brand_model: "Plain",
  description: "A cup.",
  currency: "TL",
  price: 1250,
  product_code: "CUP-1",
  warranty_type: 1,
  warranty_period: 0,
  has_discount: true,
  discount_type: 2,
  discount_value: 10,
  category_id: "c-1",
  shipping_template_id: "t-1",
  stock_count: 3,
  product_condition: "new",
  images: ["https://pictures.example/cup.jpg"],
  custom_order_input: false,
};
const template = {
  template_name: "Koli",
  free_shipping: false,
  shipping_note: "Kırılır",
  sender_address: "a-1",
  return_address: "a-2",
  shipping_time: 3,
  all_country: false,
  suitable_cities: ["34", "06"],
  use_contractred_company: true,
  common_address: false,
  conditional_shipping: true,
  min_price: 50_000,
  shipping_with_together: true,
  shipping_companies: ["k-1", "k-2"],
  return_companies: "k-1",
};
const COMMENTS =
  "limit=20&page=2&date_created=1&start_date=2&end_date=3&sort_by_date=ascending" +
  "&satisfaction=happy&rate=5&max_rate=5&min_rate=1";

/** A GET whose input is its query, with the input of its path beside it. */
const get = (target: string, data: unknown, path: ExpectedCall["input"] = {}): ExpectedCall => {
  const query = new URLSearchParams(target.split("?")[1]);
  const given = [...query].map(([name, text]): readonly [string, unknown] => {
    if (name === "ids") return [name, text.split(",")];
    return [name, /^[\d.]+$/u.test(text) ? Number(text) : text];
  });
  return { input: { ...path, ...Object.fromEntries(given) }, line: `GET ${target}`, data };
};

/** A POST to the store whose whole input is its body. */
const post = (
  path: string,
  body: Readonly<Record<string, unknown>>,
  data: unknown,
): ExpectedCall => ({ input: body, line: `POST ${path}/store/store-1`, body, data });

/** By resource and method, in the order of the table. Every parameter of every call is given. */
export const EVERY_CALL: Readonly<Record<string, ExpectedCall>> = {
  "order.statusCodes": get("/v1.1/order/status-codes", []),
  "order.list": get(
    "/v1.1/order/store/store-1?start_date=1&end_date=2&days=7&status=3&updates_only=1",
    [{ code: "1", packages: [] }],
  ),
  "order.postpone": post("/v1.1/order/postpone", { package_id: "k", reason: "Stok" }, {}),
  "order.accept": post("/v1.1/order/accept", { package_id: "k" }, { status: "success" }),
  "order.acceptReturn": post("/v1.1/order/accept-return", { package_id: "k", message: "Ok" }, {}),
  "order.rejectReturn": post("/v1.1/order/reject-return", { package_id: "k", reason: "Yok" }, 7),
  "product.search": get(
    "/v1.1/product/search?type=c2c&search_key=%C3%A7ay%20%26%20%C5%9Feker&limit=50&page=1",
    PAGE,
  ),
  "product.list": {
    ...get(
      "/v1.1/product/store/store-1?limit=5&page=2&start_date=1&end_date=2" +
        "&sort_by_date=ascending&ids=a%2Cb&product_code=CUP%201&title=Cup&status=veto",
      PAGE,
    ),
    // Written out once, as a check of what `get` makes of a query.
    input: {
      limit: 5,
      page: 2,
      start_date: 1,
      end_date: 2,
      sort_by_date: "ascending",
      ids: ["a", "b"],
      product_code: "CUP 1",
      title: "Cup",
      status: "veto",
    },
  },
  "product.add": post("/v1.1/product/add", product, { status: true, product_id: "p-1" }),
  "product.update": post("/v1.1/product/update", { product_id: "p-1", price: 900 }, undefined),
  "comment.commentedProducts": get(
    "/v1.1/comment/commented-products/store/store-1?limit=50&page=1&comment_count=3" +
      "&max_comment_count=9&min_comment_count=1&sort_by_comment_count=ascending",
    PAGE,
  ),
  "comment.productComments": get(
    `/v1.1/comment/product-comments/store/store-1?product_id=p-1&${COMMENTS}` +
      "&commented_at_product_details=1&commented_at_order=1",
    { ...PAGE, product: { id: "p-1" } },
  ),
  "comment.storeComments": get(`/v1.1/comment/store-comments/store/store-1?${COMMENTS}`, PAGE),
  "category.list": get("/v1.1/category/?limit=1&page=1&ids=c&search=Ev", PAGE),
  "category.byExternalId": get(
    "/v1.1/category/get-by-external-id/7",
    { id: "c", name: "Ev", properties: [] },
    { externalCategoryId: 7 },
  ),
  "category.properties": get("/v1.1/category/get-properties/c%2F1", [], { categoryId: "c/1" }),
  "brand.list": get("/v1.1/brand/?category_id=c&limit=1&page=1&ids=b&name=I%C5%9F%C4%B1k", PAGE),
  "brand.models": get("/v1.1/brand/brand-model?category_id=c&brand_id=b&limit=1&page=1", PAGE),
  "shippingTemplate.list": get(
    "/v1.0/shipping-template/store/store-1?limit=1&page=1&ids=t&search=Koli",
    PAGE,
  ),
  "shippingTemplate.create": post("/v1.0/shipping-template/create", template, { success: true }),
  "shippingTemplate.update": post(
    "/v1.0/shipping-template/update",
    { ...template, shipping_template_id: "t-1" },
    { success: true },
  ),
  "shippingTemplate.addresses": get("/v1.0/shipping-template/address/store/store-1", []),
  "shipping.companies": get("/v1.0/shipping/companies/all", []),
  "shipping.contractedCompanies": get("/v1.0/shipping/companies/contracted", []),
  "shipping.prices": get("/v1.0/shipping/get-prices/store/store-1?package_id=k-1", []),
  "shipping.generateCode": post(
    "/v1.0/shipping/generate-shipping-code",
    { package_id: "k-1", company_id: "s-1" },
    { shipping_company: "Örnek", shippingCode: "X1" },
  ),
  "question.list": get(
    "/v1.0/question/store/store-1?limit=1&page=1&start_date=1&end_date=2" +
      "&sort_by_date=descending&answered=1&unanswered=1&title=Renk" +
      "&questions_for_product=1&questions_for_store=1",
    PAGE,
  ),
  "question.reply": post(
    "/v1.0/question/reply",
    { product_question_id: "q-1", title: "Yanıt", message: "Evet 👍" },
    { success: true },
  ),
  "payment.list": get(
    "/v1.0/payment/store/store-1?limit=1&page=1&date_created=1&start_date=2&end_date=3" +
      "&status=2&order_code=1001&ids=y-1%2Cy-2&customer_name=Ay%C5%9Fe&store_payout=1.5" +
      "&min_store_payout=1&max_store_payout=2&shipping_price=3&min_shipping_price=0" +
      "&max_shipping_price=4&total_paid_price=5&min_total_paid_price=4&max_total_paid_price=6",
    PAGE,
  ),
  "city.list": get("/v1.1/city/", []),
};
