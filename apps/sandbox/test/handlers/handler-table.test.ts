import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { createSandboxCatalog } from "../../src/index.ts";
import { createSampleProduct, openTestClient } from "../helpers/test-client.ts";

const catalog = createSandboxCatalog();
const sample = createSampleProduct();

describe("the category endpoints", () => {
  it.each(["kaşık", "KAŞIK", "kasik"])(
    "find a category by a part of its name: %s",
    async (search) => {
      const { get } = await openTestClient();

      const { data } = await get("/v1.1/category/", { search });

      expect(data).toMatchObject({ total: 1, result: [{ id: sample.category_id, name: "Kaşık" }] });
    },
  );

  it("list by ids, given as a comma list or several times", async () => {
    const { sandbox, token, get } = await openTestClient();
    const ids = catalog.categories.slice(5, 8).map(({ id }) => id);

    const { data } = await get("/v1.1/category/", { ids: ids.join(",") });
    const url = `${sandbox.baseUrl}/v1.1/category/?access_token=${token}`;
    const repeated = await fetch(`${url}${ids.map((id) => `&ids=${id}`).join("")}`);

    expect(data).toMatchObject({ total: 3, result: ids.map((id) => ({ id })) });
    expect(await repeated.json()).toEqual({ data });
  });

  it("return the properties of a category by external id and by id", async () => {
    const { get } = await openTestClient();
    const category = catalog.category(sample.category_id);

    const byExternal = await get(`/v1.1/category/get-by-external-id/${category?.external_id}`);
    const properties = await get(`/v1.1/category/get-properties/${category?.id}`);

    expect(byExternal.data).toEqual({ ...category, properties: properties.data });
    expect(properties.data).toEqual(catalog.properties(sample.category_id));
  });

  it.each(["get-by-external-id/1", "get-properties/f00"])("answer 404 for %s", async (path) => {
    const { get } = await openTestClient();

    const answer = await get(`/v1.1/category/${path}`);

    expect(answer.httpStatus).toBe(404);
    expect(answer.data).toMatchObject({ message_tr: "Kategori bulunamadı" });
  });
});

describe("the brand endpoints", () => {
  it("list brands per category and find them by name", async () => {
    const { get } = await openTestClient();
    const query = { category_id: sample.category_id, name: "IŞIK" };

    const { data } = await get("/v1.1/brand/", query);

    expect(data).toEqual({ total: 1, result: [{ id: sample.brand_id, name: "Işık" }] });
  });

  it("list models in a category", async () => {
    const { get } = await openTestClient();
    const query = { category_id: sample.category_id, brand_id: sample.brand_id };

    const { data } = await get("/v1.1/brand/brand-model", query);

    const models = catalog.models(sample.category_id, sample.brand_id);
    expect(data).toEqual({ total: models.length, result: models });
  });

  it.each([["/v1.1/brand/"], ["/v1.1/brand/brand-model"]])(
    "require an existing category for %s",
    async (path) => {
      const { get } = await openTestClient();

      const missing = await get(path, { brand_id: "b" });
      const unknown = await get(path, { category_id: "c", brand_id: "b" });

      expect([missing, unknown].map(({ httpStatus }) => httpStatus)).toEqual([400, 400]);
      expect(missing.data).toMatchObject({ message: expect.stringContaining("category_id:") });
      expect(unknown.data).toMatchObject({ message: expect.stringContaining("category_id:") });
    },
  );
});

describe("the shipping template listing", () => {
  it("finds a template by a part of its name", async () => {
    const { sandbox, get } = await openTestClient();

    const { data } = await get(`/v1.0/shipping-template/store/${sandbox.storeId}`, {
      search: "istanbul",
    });

    expect(data).toMatchObject({ total: 1, result: [{ template_name: "İstanbul İçi Kurye" }] });
  });
});

describe("the product endpoints", () => {
  it("list a product as it was added", async () => {
    const { sandbox, add, list } = await openTestClient({ clock: createFakeClock(5000) });

    const id = await add({ has_discount: true, discount_type: 3, discount_value: 99_990 });

    expect(await list()).toMatchObject({
      total: 1,
      result: [{ id, subtitle: "6'lı set", stock: 12, price: 129_990, paid_price: 99_990 }],
    });
    expect(sandbox.products()).toMatchObject([{ id, addedAtMs: 5000, status: "approved" }]);
  });

  it("add a second product under one code", async () => {
    const { sandbox, add, list } = await openTestClient();

    const ids = [await add(), await add()];

    expect(new Set(ids).size).toBe(2);
    expect(await list({ product_code: "KSK-001" })).toMatchObject({ total: 2 });
    expect(sandbox.stats().adds).toBe(2);
  });

  it("refuse and do not store a product whose brand the catalog does not know", async () => {
    const { sandbox, post } = await openTestClient();

    const answer = await post(`/v1.1/product/add/store/${sandbox.storeId}`, {
      ...sample,
      brand_id: "b",
    });

    expect(answer.httpStatus).toBe(400);
    expect(answer.data).toMatchObject({
      message: "Invalid input: brand_id: must be a brand of the category",
    });
    expect(sandbox.stats()).toMatchObject({
      adds: 0,
      products: 0,
      byEndpoint: { "product.add": 1 },
    });
  });

  it("keep every field that an update does not name", async () => {
    const { sandbox, add, post } = await openTestClient();
    const id = await add();
    const [before] = sandbox.products();
    const url = `/v1.0/product/update/store/${sandbox.storeId}`;

    const answer = await post(url, { product_id: id, price: 89_990, stock_count: 0 });
    await post(url, { product_id: id, price: 89_990 });

    expect(answer.data).toEqual({ status: true, message: "Product updated" });
    expect(sandbox.products()).toEqual([{ ...before, price: 89_990, stock_count: 0 }]);
    expect(sandbox.stats()).toMatchObject({ updates: 1, byEndpoint: { "product.update": 2 } });
  });

  it("refuse to update an unknown product", async () => {
    const { sandbox, post } = await openTestClient();

    const answer = await post(`/v1.1/product/update/store/${sandbox.storeId}`, {
      product_id: "p",
      price: 1,
    });

    expect(answer.httpStatus).toBe(404);
    expect(answer.data).toMatchObject({ message: "Product not found" });
  });
});
