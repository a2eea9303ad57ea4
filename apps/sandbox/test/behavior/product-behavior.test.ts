import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { VISIBILITY_DELAY_MS } from "../../src/behavior/product-behavior.ts";
import { createSampleProduct, obtainToken, openTestClient } from "../helpers/test-client.ts";

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
