import { createFakeClock } from "@catalog/clock/testing";
import { endpoints, idSchemas, type ProductChanges } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createSandboxCatalog } from "../../src/index.ts";
import {
  assertProductFits,
  createProductState,
  createSeedProducts,
  type InitialProduct,
  VISIBILITY_DELAY_MS,
} from "../../src/products/product-state.ts";
import { createSampleProduct, obtainToken, openTestClient } from "../helpers/test-client.ts";

const catalog = createSandboxCatalog();
const sample = createSampleProduct();

const fill = (): readonly InitialProduct[] => [{ product: sample, status: "veto", addedAtMs: 1 }];

function openStore() {
  const clock = createFakeClock(1000);
  return { clock, store: createProductState({ catalog, clock, fill }) };
}

describe("createProductState", () => {
  it("adds products after those of the start", () => {
    const { store } = openStore();

    const added = store.add(sample);

    expect(added).toEqual({
      ...sample,
      id: expect.stringMatching(/^[0-9a-f]{24}$/u),
      sid: 1_000_002,
      status: "approved",
      addedAtMs: 1000,
    });
    expect(store.products()).toMatchObject([{ sid: 1_000_001, status: "veto" }, { id: added.id }]);
  });

  it("reports when an update changes nothing", () => {
    const { store } = openStore();
    const { id } = store.add(sample);

    expect(store.update(id, { title: sample.title, images: [...sample.images] })).toBe("unchanged");
    expect(store.update(id, { title: "Yeni", sub_title: undefined })).toBe("changed");
    expect(store.products()[1]).toMatchObject({ title: "Yeni", sub_title: sample.sub_title });
  });

  it("keeps the position of a product that is updated", () => {
    const { store } = openStore();
    const ids = [store.add(sample).id, store.add(sample).id];

    store.update(idSchemas.product.parse(ids[0]), { title: "Yeni" });

    expect(
      store
        .products()
        .map(({ id }) => id)
        .slice(1),
    ).toEqual(ids);
  });

  it("changes nothing when one field of an update is wrong", () => {
    const { store } = openStore();
    const before = store.add(sample);

    expect(() =>
      store.update(before.id, {
        title: "Yeni",
        shipping_template_id: undefined,
        brand_model: "a".repeat(24),
      }),
    ).toThrow("brand_model");
    expect(store.products()[1]).toEqual(before);
  });

  it("refuses an unknown product", () => {
    const { store } = openStore();

    expect(() => store.update(idSchemas.product.parse("p"), {})).toThrow("Product not found");
  });
});

const spoon = catalog.category(sample.category_id);
const models = catalog.models(sample.category_id, sample.brand_id);
const property = catalog.properties(sample.category_id)[0];
const option = property?.property_options[0];

/** The problems of the sample with these fields, as if only these had been given. */
function check(changes: Readonly<Record<string, unknown>>): string {
  const product: typeof sample = Object.assign({ ...sample }, changes);
  const given: ProductChanges = changes;
  try {
    assertProductFits(catalog, product, given);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("assertProductFits", () => {
  it.each([
    { title: "Yeni" },
    { brand_model: "free text" },
    { brand_model: models[0]?.id },
    { properties: [{ property_id: property?.id, option_id: option?.id }] },
    { has_discount: true, discount_type: 1, discount_value: 129_989 },
    { has_discount: true, discount_type: 2, discount_value: 99, price: 50 },
    { discount_value: 500_000 },
  ])("accepts %o", (changes) => {
    expect(check(changes)).toBe("");
  });

  it.each([
    [{ category_id: spoon?.parent?.id }, "category_id: "],
    [{ category_id: "c" }, "category_id: "],
    [{ brand_id: "b" }, "brand_id: "],
    [{ brand_model: "0123456789abcdef01234567" }, "brand_model: "],
    [{ shipping_template_id: "t" }, "shipping_template_id: "],
    [{ has_discount: true, discount_type: 3, discount_value: 129_990 }, "discount_value: "],
    [{ properties: [{ property_id: property?.id, option_id: "o" }] }, "properties: "],
    [{ properties: [{ property_id: "p", option_id: option?.id }] }, "properties: "],
  ])("refuses %o", (changes, field) => {
    expect(check(changes)).toContain(field);
  });

  it("checks the brand again when the category changes", () => {
    const tyre = catalog.categories.find(({ name }) => name === "Kış Lastiği");
    const isuzu = catalog.brands(tyre?.id ?? "").find(({ name }) => name === "Isuzu");

    expect(check({ category_id: tyre?.id, brand_id: isuzu?.id })).toBe("");
    expect(check({ category_id: spoon?.id, brand_id: isuzu?.id })).toContain("brand_id: ");
  });

  it("names every wrong field at once", () => {
    expect(check({ category_id: "c", brand_id: "b", shipping_template_id: "t" })).toMatch(
      /category_id: .*; brand_id: .*; shipping_template_id: /u,
    );
  });

  it("does not check fields that were not given", () => {
    const product: typeof sample = Object.assign({ ...sample }, { shipping_template_id: "gone" });

    expect(() => assertProductFits(catalog, product, { title: "Yeni" })).not.toThrow();
  });
});

const filled = createSeedProducts({ catalog, count: 200, nowMs: 1_000_000_000 });

describe("createSeedProducts", () => {
  it("creates products that the add call accepts", () => {
    for (const { product } of filled) {
      expect(endpoints.product.add.input.parse(product)).toEqual(product);
      expect(() => assertProductFits(catalog, product, product)).not.toThrow();
    }
  });

  it("numbers the codes from one", () => {
    const codes = filled.map(({ product }) => product.product_code);

    expect([codes[0], codes[199], new Set(codes).size]).toEqual(["SBX-000001", "SBX-000200", 200]);
  });

  it("creates 80 % approved, 15 % passive and 5 % veto products", () => {
    const statuses = Object.groupBy(filled, ({ status }) => status);

    expect(statuses.approved).toHaveLength(160);
    expect(statuses.passive).toHaveLength(30);
    expect(statuses.veto).toHaveLength(10);
  });

  it("spreads products over time and over many categories", () => {
    const moments = filled.map(({ addedAtMs }) => addedAtMs);
    const categories = new Set(filled.map(({ product }) => product.category_id));

    expect(moments).toEqual([...new Set(moments)].toSorted((a, b) => a - b));
    expect(moments.at(-1)).toBeLessThan(1_000_000_000);
    expect(categories.size).toBeGreaterThan(100);
  });

  it("creates the same products for the same count", () => {
    expect(createSeedProducts({ catalog, count: 200, nowMs: 1_000_000_000 })).toEqual(filled);
  });
});

describe("the setting duplicate-code", () => {
  it("can create a second product", async () => {
    const { sandbox, add } = await openTestClient({
      personality: { "duplicate-code": "accepted" },
    });

    const ids = [await add(), await add()];

    expect(new Set(ids).size).toBe(2);
    expect(sandbox.inspect().doubles).toEqual({ "KSK-001": ids });
  });

  it("can refuse the add and keep the first product as it is", async () => {
    const { sandbox, add, post } = await openTestClient({
      personality: { "duplicate-code": "refused" },
    });
    await add();

    const path = `/v1.1/product/add/store/${sandbox.storeId}`;
    const answer = await post(path, { ...createSampleProduct(), title: "Yeni" });

    expect(answer.httpStatus).toBe(400);
    expect(answer.data).toMatchObject({ message: expect.stringContaining("product_code") });
    expect(sandbox.products()).toMatchObject([{ title: createSampleProduct().title }]);
  });

  it("can change the first product and answer with its id", async () => {
    const { sandbox, add } = await openTestClient({ personality: { "duplicate-code": "merged" } });

    const ids = [await add(), await add({ title: "Yeni" })];

    expect(ids[1]).toBe(ids[0]);
    expect(sandbox.products()).toMatchObject([{ title: "Yeni" }]);
  });
});

describe("the setting new-product", () => {
  it("can hide a product from every listing until it is approved", async () => {
    const { sandbox, add, list } = await openTestClient({
      products: 1,
      personality: { "new-product": "after-approval" },
    });
    const id = await add();
    const totals = async (): Promise<readonly number[]> =>
      Promise.all(
        ["approved", "passive", "veto"].map(async (status) => (await list({ status })).total),
      );

    const waiting = await totals();
    const byId = await list({ ids: id });
    const approved = sandbox.approve();

    expect([waiting, byId.total, approved]).toEqual([[1, 0, 0], 0, 1]);
    expect(await totals()).toEqual([2, 0, 0]);
    expect(sandbox.approve()).toBe(0);
  });

  it("can hide a product from the search until it is approved", async () => {
    const { sandbox, add, get } = await openTestClient({
      personality: { "new-product": "after-approval" },
    });
    await add({ title: "Bulunacak Kaşık" });
    const search = () => get("/v1.1/product/search", { type: "b2c", search_key: "bulunacak" });

    const waiting = await search();
    sandbox.approve();
    const shown = await search();

    expect([waiting.data, shown.data]).toMatchObject([{ total: 0 }, { total: 1 }]);
  });

  it("lets a hidden product be changed", async () => {
    const { sandbox, add, post } = await openTestClient({
      personality: { "new-product": "after-approval" },
    });
    const product_id = await add();

    const path = `/v1.1/product/update/store/${sandbox.storeId}`;
    const answer = await post(path, { product_id, title: "Yeni" });

    expect(answer.httpStatus).toBe(200);
    expect(sandbox.products()).toMatchObject([{ title: "Yeni", hiddenUntilMs: "approval" }]);
  });

  it("can show a product after a delay", async () => {
    const clock = createFakeClock();
    const { add, list } = await openTestClient({
      clock,
      personality: { "new-product": "after-delay" },
    });
    await add();

    await clock.advance(VISIBILITY_DELAY_MS - 1);
    const before = await list();
    await clock.advance(1);

    expect([before.total, (await list()).total]).toEqual([0, 1]);
  });
});

describe("the setting code-filter", () => {
  it.each([
    ["exact", ["KSK-1"]],
    ["prefix", ["KSK-1", "KSK-10"]],
    ["case-insensitive", ["KSK-1", "ksk-1"]],
    ["ignored", ["KSK-1", "KSK-10", "ksk-1", "X"]],
  ] as const)("finds products by %s", async (value, codes) => {
    const { add, list } = await openTestClient({ personality: { "code-filter": value } });
    for (const product_code of ["KSK-1", "KSK-10", "ksk-1", "X"]) await add({ product_code });

    const { result } = await list({ product_code: "KSK-1", sort_by_date: "ascending" });

    expect(result.map(({ product_code }) => product_code)).toEqual(codes);
  });
});

describe("the setting stored-code", () => {
  it.each([
    ["as-sent", " ksk-1 "],
    ["trimmed", "ksk-1"],
    ["upper-cased", "KSK-1"],
  ] as const)("keeps a code %s, by add and by update", async (value, expected) => {
    const { sandbox, add, post } = await openTestClient({ personality: { "stored-code": value } });
    const first = await add({ product_code: " ksk-1 " });
    await add({ product_code: "X" });

    const [, second] = sandbox.products();
    await post(`/v1.1/product/update/store/${sandbox.storeId}`, {
      product_id: second?.id,
      product_code: " ksk-1 ",
    });

    expect(sandbox.products()).toMatchObject([
      { id: first, product_code: expected },
      { product_code: expected },
    ]);
  });
});

describe("the setting update-stock", () => {
  it.each([
    ["obeyed", 200, { stock_count: 3, title: "Yeni" }],
    ["ignored", 200, { stock_count: 12, title: "Yeni" }],
    ["refused", 400, { stock_count: 12, title: createSampleProduct().title }],
  ] as const)("makes a stock update %s", async (value, status, expected) => {
    const { sandbox, add, post } = await openTestClient({ personality: { "update-stock": value } });
    const product_id = await add();

    const path = `/v1.1/product/update/store/${sandbox.storeId}`;
    const answer = await post(path, { product_id, title: "Yeni", stock_count: 3 });

    expect(answer.httpStatus).toBe(status);
    expect(sandbox.products()).toMatchObject([expected]);
  });

  it("can refuse an update of stock alone", async () => {
    const { sandbox, add, post } = await openTestClient({
      personality: { "update-stock": "refused" },
    });
    const product_id = await add();

    const path = `/v1.1/product/update/store/${sandbox.storeId}`;

    expect((await post(path, { product_id, title: "Yeni" })).httpStatus).toBe(200);
  });
});

describe("the setting new-token", () => {
  it.each([
    ["keeps-old", 200],
    ["kills-old", 401],
  ] as const)("answers an earlier token as %s with status %i", async (value, status) => {
    const { sandbox, get } = await openTestClient({ personality: { "new-token": value } });

    const second = await obtainToken(sandbox);
    const old = await get("/v1.1/category/");
    const fresh = await get("/v1.1/category/", { access_token: second });

    expect([old.httpStatus, fresh.httpStatus]).toEqual([status, 200]);
  });
});
