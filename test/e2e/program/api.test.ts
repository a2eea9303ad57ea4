import { endpoints } from "@catalog/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";

/** Ids of the sandbox's store that the calls need. */
interface Ids {
  readonly category: string;
  readonly externalCategory: string;
  readonly brand: string;
  readonly product: string;
  readonly template: string;
  readonly address: string;
  readonly company: string;
  readonly question: string;
  /** A package in each of these statuses of the sandbox. */
  readonly awaiting: readonly string[];
  readonly accepted: string;
  readonly returned: readonly string[];
}

/** What a call is given, and a path that must be found in the data of its answer. */
type Call = (ids: Ids) => readonly [params: Readonly<Record<string, string>>, path: string];

/** Each of the calls of the specification, in its order. */
const CALLS: Readonly<Record<string, Call>> = {
  "token.create": () => [{}, "expires_at"],
  "order.statusCodes": () => [{}, "0.code"],
  "order.list": () => [{ days: "30" }, "0.packages"],
  "order.postpone": ({ awaiting: [, id = ""] }) => [
    { package_id: id, reason: "Stok bekleniyor, sayım var" },
    "status",
  ],
  "order.accept": ({ awaiting: [id = ""] }) => [{ package_id: id }, "status"],
  "order.acceptReturn": ({ returned: [id = ""] }) => [{ package_id: id, message: "Ok" }, "status"],
  "order.rejectReturn": ({ returned: [, id = ""] }) => [{ package_id: id, reason: "Kırık" }, ""],
  "product.search": () => [{ type: "b2c", search_key: "a" }, "result.0.store_name"],
  "product.list": () => [{ status: "passive", limit: "5" }, "result.0.id"],
  "product.add": (ids) => [
    {
      title: "Çay bardağı",
      sub_title: "Altılı",
      brand_id: ids.brand,
      brand_model: "Klasik",
      description: "İnce belli.",
      price: "24990",
      product_code: "HAM-1",
      warranty_type: "1",
      warranty_period: "0",
      has_discount: "false",
      category_id: ids.category,
      shipping_template_id: ids.template,
      stock_count: "5",
      images: '["https://cdn.example.com/1.jpg"]',
    },
    "product_id",
  ],
  "product.update": ({ product }) => [{ product_id: product, title: "Yeni ad" }, ""],
  "comment.commentedProducts": () => [{ min_comment_count: "1" }, "result.0.comment_count"],
  "comment.productComments": ({ product }) => [{ product_id: product }, "total"],
  "comment.storeComments": () => [{ satisfaction: "happy" }, "result.0.message"],
  "category.list": () => [{ limit: "3" }, "result.0.name"],
  "category.byExternalId": ({ externalCategory }) => [
    { externalCategoryId: externalCategory },
    "properties",
  ],
  "category.properties": ({ category }) => [{ categoryId: category }, "0.name"],
  "brand.list": ({ category }) => [{ category_id: category }, "result.0.name"],
  "brand.models": ({ category, brand }) => [{ category_id: category, brand_id: brand }, "total"],
  "shippingTemplate.list": () => [{}, "result.0.template_name"],
  "shippingTemplate.create": ({ address, company }) => [
    {
      template_name: "Elle",
      sender_address: address,
      shipping_time: "2",
      all_country: "true",
      shipping_companies: company,
      return_companies: company,
    },
    "success",
  ],
  "shippingTemplate.update": ({ template }) => [
    { shipping_template_id: template, shipping_time: "3" },
    "success",
  ],
  "shippingTemplate.addresses": () => [{}, "0.id"],
  "shipping.companies": () => [{}, "0.name"],
  "shipping.contractedCompanies": () => [{}, "0.name"],
  "shipping.prices": ({ accepted }) => [{ package_id: accepted }, "0.price"],
  "shipping.generateCode": ({ accepted, company }) => [
    { package_id: accepted, company_id: company },
    "shippingCode",
  ],
  "question.list": () => [{ unanswered: "1" }, "result.0.message"],
  "question.reply": ({ question }) => [
    { product_question_id: question, message: "Evet, var." },
    "success",
  ],
  "payment.list": () => [{ limit: "2" }, "result.0.order_code"],
  "city.list": () => [{}, "0.name"],
};

const toWords = (params: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(params).flatMap(([name, value]) => ["--param", `${name}=${value}`]);

/** What stands at a path of names and positions. */
function valueAt(data: unknown, path: string): unknown {
  return path
    .split(".")
    .filter((key) => key !== "")
    .reduce<unknown>((value, key) => new Map(Object.entries(Object(value))).get(key), data);
}

/** Reads what a path picks from the answer of a call. */
async function read(
  store: TestStore,
  name: string,
  [params, path]: readonly [Readonly<Record<string, string>>, string],
): Promise<string[]> {
  const words = [name, ...toWords(params), "--select", path, "--format", "jsonl"];
  const { code, out, err } = await store.run("api", ...words);
  expect([code, err]).toEqual([0, ""]);
  const lines = out.split("\n").filter((line) => line !== "");
  return lines.map((line) => String(JSON.parse(line)));
}

async function readIds(store: TestStore): Promise<Ids> {
  const pick = async (
    name: string,
    path: string,
    params: Readonly<Record<string, string>> = {},
  ): Promise<string> => (await read(store, name, [params, path]))[0] ?? "";
  const packages = (status: number): Promise<string[]> =>
    read(store, "order.list", [{ days: "60" }, `$[*].packages[?@.status == ${status}].package_id`]);
  const search = { type: "b2c", search_key: "a" };
  return {
    category: await pick("product.search", ".result[0].category_id", search),
    externalCategory: await pick("category.list", ".result[].external_id"),
    brand: await pick("product.search", ".result[0].brand_id", search),
    product: await pick("product.list", ".result[].id"),
    template: await pick("shipping-template.list", ".result[].id"),
    address: await pick("shippingTemplate.addresses", ".[].id"),
    company: await pick("shipping.contracted-companies", "$[*].id"),
    question: await pick("question.list", "result[].id", { unanswered: "1" }),
    awaiting: await packages(1),
    accepted: (await packages(3))[0] ?? "",
    returned: await packages(13),
  };
}

describe("every call of the specification from the command line", () => {
  const ends: (() => void | Promise<void>)[] = [];
  let store: TestStore;
  let ids: Ids;

  beforeAll(async () => {
    const breaks = {
      "early-token": "token.create asks for a token beside that of the other calls",
    };
    store = await openTestStore({ products: 120, breaks }, (end) => ends.push(end));
    ids = await readIds(store);
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  it("is in this table", () => {
    const names = Object.entries(endpoints).flatMap(([group, calls]) =>
      Object.keys(calls).map((call) => `${group}.${call}`),
    );

    expect(Object.keys(CALLS)).toEqual(names);
    expect(names).toHaveLength(31);
  });

  it.each(Object.entries(CALLS))("%s", async (name, call) => {
    const [params, path] = call(ids);

    const { code, out, err } = await store.run("api", name, ...toWords(params), "--yes");

    expect([code, err]).toEqual([0, expect.any(String)]);
    expect(valueAt(JSON.parse(out), path)).toBeDefined();
  });
});
