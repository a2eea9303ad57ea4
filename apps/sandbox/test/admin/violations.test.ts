import { describe, expect, it } from "vitest";

import { createViolationLog } from "../../src/admin/violations.ts";
import type { Sandbox, Violation } from "../../src/index.ts";
import {
  createSampleProduct,
  obtainToken,
  openTestClient,
  sendJson,
} from "../helpers/test-client.ts";

/** The recorded violations, without counts. */
const notedBy = (sandbox: Sandbox): readonly string[] =>
  sandbox.inspect().violations.map(({ rule, endpoint, field }) => `${rule} ${endpoint} ${field}`);

const JSON_ACCEPT = { accept: "application/json" };

/** A client whose requests have the headers that the specification requires. */
async function visit() {
  const visitor = await openTestClient();
  const { sandbox, token } = visitor;
  const get = (path: string, query = "", headers: Record<string, string> = JSON_ACCEPT) =>
    fetch(`${sandbox.baseUrl}${path}?access_token=${token}${query}`, { headers });
  return { ...visitor, get };
}

describe("a request that follows the specification", () => {
  it("causes no violation", async () => {
    const { sandbox, add, get, post } = await visit();
    const product_id = await add();

    await get(`/v1.1/product/store/${sandbox.storeId}`, "&limit=50&status=veto&ids=a,b");
    await get("/v1.0/category");
    await post(`/v1.1/product/update/store/${sandbox.storeId}`, { product_id, price: 100 });

    expect(sandbox.inspect()).toMatchObject({ violations: [], undocumented: [] });
  });
});

describe("a violation in the query", () => {
  it.each([
    ["&colour=red", "unknown-parameter product.list colour"],
    ["&storeId=x", "unknown-parameter product.list storeId"],
    ["&limit=51", "bad-value product.list limit"],
    ["&page=x", "bad-value product.list page"],
    ["&status=sold", "bad-value product.list status"],
  ])("is recorded: %s", async (query, expected) => {
    const { sandbox, get } = await visit();

    await get(`/v1.1/product/store/${sandbox.storeId}`, query);

    expect(notedBy(sandbox)).toEqual([expected]);
  });

  it("is recorded for a missing required parameter", async () => {
    const { sandbox, get } = await visit();

    await get("/v1.1/brand/");
    await fetch(`${sandbox.baseUrl}/v1.1/category/`, { headers: JSON_ACCEPT });

    expect(notedBy(sandbox)).toEqual([
      "missing-parameter brand.list category_id",
      "missing-parameter category.list access_token",
    ]);
  });

  it("is recorded for a POST with more than the token", async () => {
    const { sandbox, token } = await visit();
    const url = `${sandbox.baseUrl}/v1.1/product/add/store/${sandbox.storeId}`;

    await sendJson(`${url}?access_token=${token}&title=x`, createSampleProduct());
    await sendJson(`${sandbox.baseUrl}/app/auth/access?access_token=x`, {});

    expect(notedBy(sandbox)).toEqual([
      "unknown-parameter product.add title",
      "unknown-parameter token.create access_token",
      "missing-parameter token.create client_key",
      "missing-parameter token.create client_secret",
    ]);
  });
});

describe("a violation in the path", () => {
  it("is recorded for a value of the wrong type", async () => {
    const { sandbox, get } = await visit();

    await get("/v1.1/category/get-by-external-id/shoes");

    expect(notedBy(sandbox)).toEqual(["bad-value category.byExternalId externalCategoryId"]);
  });

  it("is recorded for an undocumented prefix", async () => {
    const { sandbox, get } = await visit();

    await get(`/v1.1/shipping-template/store/${sandbox.storeId}`);
    await get("/category/");
    await fetch(`${sandbox.baseUrl}/v1.0/app/auth/access`, { method: "POST" });

    expect(notedBy(sandbox)).toEqual([
      "wrong-version shippingTemplate.list v1.1",
      "wrong-version category.list ",
      "wrong-version token.create v1.0",
    ]);
  });

  it("is not recorded for a documented prefix that is absent here", async () => {
    const { sandbox, token } = await openTestClient({ personality: { versions: "v1.0" } });

    const url = `${sandbox.baseUrl}/v1.1/category?access_token=${token}`;
    const { status } = await fetch(url, { headers: JSON_ACCEPT });

    expect(status).toBe(404);
    expect(notedBy(sandbox)).toEqual([]);
  });

  it("is recorded for an undocumented path or method, without its query", async () => {
    const { sandbox, get, post } = await visit();

    await get("/v1.1/nothing");
    await post("/v1.1/category/", {});

    expect(notedBy(sandbox)).toEqual([
      "unknown-path  /v1.1/nothing",
      "unknown-path  /v1.1/category/",
    ]);
  });
});

describe("a violation in the headers", () => {
  it("is recorded for a missing Accept or another content type", async () => {
    const { sandbox, get } = await visit();

    await get("/v1.1/category/", "", { accept: "text/html" });
    await fetch(`${sandbox.baseUrl}/app/auth/access`, {
      method: "POST",
      headers: { ...JSON_ACCEPT, "content-type": "text/plain" },
      body: "{}",
    });

    expect(notedBy(sandbox)).toEqual([
      "accept category.list accept",
      "content-type token.create content-type",
    ]);
  });
});

describe("a violation in the body", () => {
  it("is recorded by field for a missing field or a wrong value", async () => {
    const { sandbox, post } = await visit();
    const { title: _, ...rest } = createSampleProduct();
    const body = { ...rest, price: 12.5, warranty_type: 9, has_discount: true };

    await post(`/v1.1/product/add/store/${sandbox.storeId}`, body);
    await post(`/v1.1/product/add/store/${sandbox.storeId}`, [body]);

    expect(notedBy(sandbox)).toEqual([
      "missing-parameter product.add title",
      "bad-value product.add price",
      "bad-value product.add warranty_type",
      "bad-value product.add body",
    ]);
  });

  it("is recorded for a discount without its type or value", async () => {
    const { sandbox, post } = await visit();

    const body = { ...createSampleProduct(), has_discount: true };
    await post(`/v1.1/product/add/store/${sandbox.storeId}`, body);

    expect(notedBy(sandbox)).toEqual([
      "missing-parameter product.add discount_type",
      "missing-parameter product.add discount_value",
    ]);
  });

  it("is not recorded for undocumented fields, which are counted separately", async () => {
    const { sandbox, add, post } = await visit();
    const product_id = await add({ properties: [], colour: "red" });

    const path = `/v1.1/product/update/store/${sandbox.storeId}`;
    await post(path, { product_id, title: "Yeni", stock_count: 3 });
    await post(path, { product_id, stock_count: 4 });

    expect(sandbox.inspect()).toMatchObject({
      violations: [],
      undocumented: [
        { endpoint: "product.add", field: "properties", count: 1 },
        { endpoint: "product.add", field: "colour", count: 1 },
        { endpoint: "product.update", field: "stock_count", count: 2 },
      ],
    });
  });
});

describe("a violation of the token", () => {
  it("is recorded when one is requested while another one is valid", async () => {
    const { sandbox } = await visit();

    await obtainToken(sandbox);
    sandbox.endTokens();
    await obtainToken(sandbox);

    expect(sandbox.inspect().violations).toEqual([
      { rule: "early-token", endpoint: "token.create", field: "", count: 1 },
    ]);
  });
});

const wrong: Violation = { rule: "bad-value", endpoint: "product.add", field: "price" };

describe("createViolationLog", () => {
  it("counts violations by rule, endpoint and field", () => {
    const violations = createViolationLog();

    violations.note([wrong, { ...wrong, field: "title" }]);
    violations.note([wrong]);
    violations.noteUndocumented("product.add", ["properties", "properties"]);

    expect(violations.read()).toEqual({
      violations: [
        { ...wrong, count: 2 },
        { ...wrong, field: "title", count: 1 },
      ],
      undocumented: [{ endpoint: "product.add", field: "properties", count: 2 }],
    });
  });

  it("continues from loaded counts, and clears them on reset", () => {
    const [one, two] = [createViolationLog(), createViolationLog()];
    one.note([wrong]);
    one.noteUndocumented("product.add", ["properties"]);

    two.note([{ ...wrong, field: "gone" }]);
    two.load(one.read());
    expect(two.read()).toEqual(one.read());

    two.note([wrong]);
    two.noteUndocumented("product.add", ["properties"]);
    expect(two.read()).toMatchObject({ violations: [{ count: 2 }], undocumented: [{ count: 2 }] });

    two.reset();
    expect(two.read()).toEqual({ violations: [], undocumented: [] });
  });
});
