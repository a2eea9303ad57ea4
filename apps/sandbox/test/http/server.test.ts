import { endpoints } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import type { Handlers } from "../../src/handlers/handler-table.ts";
import { createRouteTable, parseQuery, toTable } from "../../src/http/server.ts";
import {
  createSampleProduct,
  openTestClient,
  readAnswer,
  type TestClient,
} from "../helpers/test-client.ts";

describe("createServer", () => {
  it("answers an unknown path with a refusal and counts it", async () => {
    const { sandbox, get } = await openTestClient();

    const answer = await get("/v1.1/nothing");

    expect(answer.httpStatus).toBe(404);
    expect(answer.headers.get("x-sandbox")).toBe("1");
    expect(answer.data).toEqual({
      status: false,
      message: "Path not found",
      message_tr: "Adres bulunamadı",
    });
    expect(sandbox.stats()).toMatchObject({ requests: 2, byEndpoint: { "token.create": 1 } });
  });

  it("serves only the token endpoint without a version", async () => {
    const { sandbox, get } = await openTestClient();

    const versioned = await fetch(`${sandbox.baseUrl}/v1.0/app/auth/access`, { method: "POST" });
    const bare = await get("/category/");

    expect([versioned.status, bare.httpStatus]).toEqual([404, 404]);
  });

  it("accepts a path with and without a final slash", async () => {
    const { get } = await openTestClient();

    const answers = [await get("/v1.0/category/"), await get("/v1.0/category")];

    expect(answers[0]?.httpStatus).toBe(200);
    expect(answers[1]?.data).toEqual(answers[0]?.data);
  });

  it("applies the default page size and its limits", async () => {
    const { get } = await openTestClient();

    const first = await get("/v1.1/category/");
    const second = await get("/v1.1/category/", { page: "2", limit: "20" });
    const tooLarge = await get("/v1.1/category/", { limit: "51" });

    const pages = [first, second].map(({ data }) => endpoints.category.list.data.parse(data));
    expect(pages[0]?.result).toHaveLength(20);
    expect(pages[1]?.total).toBe(pages[0]?.total);
    expect(pages[1]?.result[0]).not.toEqual(pages[0]?.result[0]);
    expect(tooLarge.httpStatus).toBe(400);
    expect(tooLarge.data).toMatchObject({ message: expect.stringContaining("limit:") });
  });

  it("names every wrong field in both languages", async () => {
    const { sandbox, post } = await openTestClient();
    const { title: _, ...rest } = createSampleProduct();

    const { httpStatus, data } = await post(`/v1.1/product/add/store/${sandbox.storeId}`, {
      ...rest,
      price: 12.5,
      stock_count: -1,
      has_discount: true,
    });

    expect(httpStatus).toBe(400);
    expect(data).toMatchObject({
      status: false,
      message: expect.stringMatching(/title: .*price: .*stock_count: /u),
      message_tr: expect.stringMatching(/^Geçersiz girdi: title: Geçersiz/u),
    });
    expect(sandbox.products()).toEqual([]);
  });

  it.each([
    ["{", "application/json", 400],
    ["[1]", "application/json", 400],
    ["x=1", "text/plain", 415],
    [`"${"x".repeat(1024 * 1024)}"`, "application/json", 413],
  ])("refuses the body %.10s of type %s with status %i", async (body, type, expected) => {
    const { sandbox, token } = await openTestClient();
    const url = `${sandbox.baseUrl}/v1.1/product/add/store/${sandbox.storeId}`;

    const response = await fetch(`${url}?access_token=${token}`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    const { httpStatus, headers, data } = await readAnswer(response);

    expect(httpStatus).toBe(expected);
    expect(headers.get("x-sandbox")).toBe("1");
    expect(data).toEqual({
      status: false,
      message: expect.any(String),
      message_tr: expect.any(String),
    });
  });

  it("answers an address that cannot be decoded with a refusal", async () => {
    const { get } = await openTestClient();

    const answer = await get("/v1.1/category/get-properties/%zz");

    expect(answer.httpStatus).toBe(400);
    expect(answer.headers.get("x-sandbox")).toBe("1");
    expect(answer.data).toMatchObject({ status: false, message_tr: "İstek okunamadı" });
  });
});

const { input } = endpoints.product.list;

describe("parseQuery", () => {
  it.each([
    [{ limit: "5" }, { limit: 5 }],
    [{ start_date: "-3" }, { start_date: -3 }],
    [{ limit: "1.5" }, { limit: 1.5 }],
    [{ limit: "" }, { limit: "" }],
    [{ limit: "ten" }, { limit: "ten" }],
    [{ limit: "0x10" }, { limit: "0x10" }],
    [{ limit: ["1", "2"] }, { limit: ["1", "2"] }],
    [{ ids: "a,b" }, { ids: ["a", "b"] }],
    [{ ids: "a,,b," }, { ids: ["a", "b"] }],
    [{ ids: ["a,b", "c"] }, { ids: ["a", "b", "c"] }],
    [{ product_code: "007" }, { product_code: "007" }],
    [{ product_code: "a,b" }, { product_code: "a,b" }],
    [{ access_token: "t", nonsense: "1" }, {}],
  ])("turns %o into %o", (raw, expected) => {
    expect(parseQuery(input, raw)).toEqual(expected);
  });

  it("reads numbers in a path", () => {
    const { input: wanted } = endpoints.category.byExternalId;

    expect(parseQuery(wanted, { externalCategoryId: "42" })).toEqual({ externalCategoryId: 42 });
  });

  it.each([
    [{ status: "2" }, { status: 2 }],
    [{ status: "x" }, { status: "x" }],
    [{ store_payout: "1.5" }, { store_payout: 1.5 }],
    [{ customer_name: "1" }, { customer_name: "1" }],
  ])("reads numbers from a list of values: %o", (raw, expected) => {
    expect(parseQuery(endpoints.payment.list.input, raw)).toEqual(expected);
  });
});

const answer = (): { total: number; result: [] } => ({ total: 0, result: [] });
const handler = { answer };

describe("createRouteTable", () => {
  it("gives every endpoint one path per version, and the token endpoint one without", () => {
    const { token, brand } = endpoints;

    const routes = createRouteTable(toTable({ token, brand }), {
      token: { create: handler },
      brand: { list: handler, models: handler },
    });

    expect(routes.map(({ name, paths }) => `${name} ${paths.join(" ")}`)).toEqual([
      "token.create /app/auth/access",
      "brand.list /v1.1/brand/ /v1.0/brand/",
      "brand.models /v1.1/brand/brand-model /v1.0/brand/brand-model",
    ]);
  });

  it("refuses an endpoint without a handler", () => {
    const { brand } = endpoints;

    expect(() => createRouteTable(toTable({ brand }), { brand: { list: handler } })).toThrow(
      "brand.models has no handler",
    );
  });

  it("does not compile without a handler for every endpoint", () => {
    // @ts-expect-error -- `models` is left out
    const brand: Handlers["brand"] = { list: { answer } };

    expect(Object.keys(brand)).toEqual(["list"]);
  });
});

const PAGES = 25;
/** Other processes only ever make a measure dearer, so the cheapest of several counts. */
const MAX_MEASURES = 15;
/** 32 times the products may cost twice as much; reading them all costs four times as much. */
const MAX_RATIO = 2;
const SIZES = { few: 1000, many: 32_000 } as const;

type Call = (client: TestClient, index: number) => Promise<unknown>;

const CALLS: Readonly<Record<string, Call>> = {
  "a page of a status": ({ list }, index) => list({ limit: "5", page: `${1 + (index % 15)}` }),
  "the oldest page": ({ list }) => list({ limit: "5", sort_by_date: "ascending" }),
  "a page of a period": ({ list }) =>
    list({ limit: "5", start_date: "1", end_date: "4000000000", page: "2" }),
  "products by id": async ({ list, sandbox }, index) => {
    const ids = ID_PLACES.map((place) => KNOWN_IDS.get(sandbox)?.[index + place] ?? "");
    return list({ ids: ids.join(","), limit: "5" });
  },
  "a product by code": ({ list }, index) =>
    list({ product_code: `SBX-${String(index + 1).padStart(6, "0")}` }),
  "a page of a search by title": ({ list }, index) =>
    list({ limit: "5", title: "a", page: `${1 + (index % 8)}` }),
  "a page after an add": async ({ list, post, sandbox }, index) => {
    const product = { ...SAMPLE, product_code: `YENİ-${index}` };
    await post(`/v1.1/product/add/store/${sandbox.storeId}`, product);
    return list({ limit: "5" });
  },
  "a page after an update": async ({ list, post, sandbox }, index) => {
    const product_id = KNOWN_IDS.get(sandbox)?.[index];
    const path = `/v1.1/product/update/store/${sandbox.storeId}`;
    await post(path, { product_id, product_code: `KOD-${index}-${performance.now()}` });
    return list({ limit: "5", page: "2" });
  },
};

const SAMPLE = createSampleProduct();
const ID_PLACES = [0, 100, 200, 300];
const KNOWN_IDS = new Map<unknown, readonly string[]>();

/** CPU time of the calls in milliseconds, that of the client included. */
async function costOf(client: TestClient, call: Call): Promise<number> {
  const begun = process.threadCpuUsage();
  for (let index = 0; index < PAGES; index += 1) await call(client, index);
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}

/** Measures both until the cheapest of each are within the ratio; `undefined` where they get there. */
async function compareCosts(
  few: TestClient,
  many: TestClient,
  call: Call,
): Promise<string | undefined> {
  let [small, large] = [Infinity, Infinity];
  for (let n = 0; n < MAX_MEASURES; n += 1) {
    small = Math.min(small, await costOf(few, call));
    large = Math.min(large, await costOf(many, call));
    if (large <= small * MAX_RATIO) return undefined;
  }
  return `${small} ms, ${large} ms`;
}

it("costs no more with 32 times the products, whatever is asked", { timeout: 60_000 }, async () => {
  const few = await openTestClient({ products: SIZES.few });
  const many = await openTestClient({ products: SIZES.many });
  for (const { sandbox } of [few, many]) {
    KNOWN_IDS.set(
      sandbox,
      sandbox
        .products()
        .slice(0, 400)
        .map(({ id }) => id),
    );
  }
  const slow: string[] = [];

  for (const [name, call] of Object.entries(CALLS)) {
    const costs = await compareCosts(few, many, call);
    if (costs !== undefined) slow.push(`${name}: ${costs}`);
  }

  expect(slow).toEqual([]);
});
