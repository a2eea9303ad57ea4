import { ALL_GUARDS, type GuardName, type CandidateRow } from "@catalog/runs";
import { listed, price, RUN } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { openPlanFixture, readAll } from "./helpers/plan-fixture.ts";

/** Opens a store of products with a stock of 5, and a sheet that sets the first of them to 0. */
async function openSale(products: number, emptied: number): ReturnType<typeof openPlanFixture> {
  const codes = Array.from({ length: products }, (_, n) => `B${n}`);
  const overrides: Record<number, Partial<CandidateRow>> = {};
  for (const n of codes.keys())
    overrides[n + 2] = { changes: { stock_count: n < emptied ? 0 : 5 } };
  const shelf = codes.map((code) => listed(`p-${code}`, code, { stock: 5 }));
  return await openPlanFixture(codes, shelf, overrides);
}

describe("planning a run that empties stocks", () => {
  it.each([
    { products: 20, emptied: 6, held: 0 },
    { products: 20, emptied: 7, held: 7 },
    { products: 19, emptied: 19, held: 0 },
  ])("holds $held of $emptied emptied stocks among $products", async (sale) => {
    const { journal, planAll } = await openSale(sale.products, sale.emptied);

    const { planned } = await planAll();

    const held = (await readAll(journal)).filter(({ state }) => state === "held");
    expect(planned).toMatchObject({
      held: sale.held,
      update: sale.emptied - sale.held,
      unchanged: sale.products - sale.emptied,
    });
    expect(held.map(({ issues }) => issues.map(({ code }) => code))).toEqual(
      Array.from({ length: sale.held }, () => ["E_GUARD_ZERO_STOCK"]),
    );
    expect(held.every(({ payload }) => payload !== null)).toBe(true);
  });

  it("counts rows that were held for their stock before, and names the reason once", async () => {
    const codes = Array.from({ length: 20 }, (_, n) => `B${n}`);
    const location = { sheet: "S", row: 2, column: "Satır Kaydı", cell: "F2", value: "r-1#2" };
    const issue = { ...location, code: "E_GUARD_ZERO_STOCK", message: { tr: "", en: "" } };
    const overrides = Object.fromEntries(
      codes.map((_, n) => [
        n + 2,
        { changes: { stock_count: n < 7 ? 0 : 5 }, heldBefore: n < 4 ? [issue] : [] },
      ]),
    );
    const shelf = codes.map((code) => listed(`p-${code}`, code, { stock: 5 }));
    const { journal, planAll } = await openPlanFixture(codes, shelf, overrides);

    const { planned } = await planAll();

    const held = (await readAll(journal)).filter(({ state }) => state === "held");
    expect(planned).toMatchObject({ held: 7, update: 0 });
    expect(held.map(({ issues }) => issues.map(({ message }) => message.en))).toEqual(
      Array.from({ length: 7 }, () => [expect.stringContaining("sets the stock of 7 of 20 rows")]),
    );
  });

  it("passes emptied stocks where the guard is allowed", async () => {
    const { planAll } = await openSale(20, 20);
    const allowed = new Set<GuardName>(["zero-stock"]);

    const { planned } = await planAll({ guards: { ...ALL_GUARDS, allowed } });

    expect(planned).toMatchObject({ held: 0, update: 20 });
  });

  it("counts emptied stocks of rows that are held for the unit of prices", async () => {
    const codes = Array.from({ length: 20 }, (_, n) => `B${n}`);
    const overrides = Object.fromEntries(
      codes.map((_, n) => [n + 2, { changes: { stock_count: 0, price: price(500) } }]),
    );
    const shelf = codes.map((code) => listed(`p-${code}`, code, { stock: 5, price: 400 }));
    const { journal, planAll } = await openPlanFixture(codes, shelf, overrides);

    await planAll();

    const [first] = await readAll(journal);
    expect([first?.state, first?.issues.map(({ code }) => code)]).toEqual([
      "held",
      ["E_GUARD_PRICE_UNIT", "E_GUARD_ZERO_STOCK"],
    ]);
    const events = await journal.readEvents({ runId: RUN, row: first?.row ?? 0 });
    expect(events.map(({ from, to, cause }) => [from, to, cause]).at(-1)).toEqual([
      "held",
      "held",
      "guard",
    ]);
  });
});
