import { describe, expect, it } from "vitest";

import {
  createPlanChecks,
  decideRows,
  type PlanChecks,
  type PlanRules,
} from "../../src/plan/decide-rows.ts";
import { type RowBackground, toProductKeys } from "../../src/plan/row-background.ts";
import type { ListedProductRow } from "../../src/ports/journal.ts";
import type { CandidateRow } from "../../src/row/row-record.ts";
import { candidate, codeKey, id, listed, price } from "../../src/testing/rows.ts";

const RULES: PlanRules = { priceUnit: "minor", sameCode: new Map() };

/** Listed products, by code. */
function backgroundOf(...seen: readonly ListedProductRow[]): RowBackground {
  return {
    seenOf: (row) => seen.filter((product) => product.codeKey === row.codeKey),
    knownOf: () => undefined,
    lookAlikeOf: () => [],
    lastSentOf: () => undefined,
  };
}

const listedRow = (code: string, fields: Parameters<typeof listed>[2] = {}): ListedProductRow => {
  const { product } = listed(`p-${code}`, code, fields);
  return { codeKey: codeKey(code), status: "approved", product };
};

const wants = (row: number, code: string, changes: CandidateRow["changes"]): CandidateRow =>
  candidate(row, code, { changes });

const UNPRICED = listedRow("B1", { price: undefined, stock: 5 });

describe("decideRows", () => {
  it("decides each row by itself, and gives the same result a second time", () => {
    const rows = [wants(2, "A1", {}), wants(3, "B1", { stock_count: 7 })];
    const background = backgroundOf(listedRow("B1", { stock: 5 }));

    const first = decideRows(rows, background, RULES);

    expect(first.map(({ row, state, action }) => [row, state, action])).toEqual([
      [2, "ready", "add"],
      [3, "ready", "update"],
    ]);
    expect(decideRows(rows, background, RULES)).toEqual(first);
  });

  it("holds a price without an old price only with the rule holdsUncompared", () => {
    const rows = [wants(2, "B1", { price: price(500) })];
    const background = backgroundOf(UNPRICED);

    const [sent] = decideRows(rows, background, RULES);
    const [held] = decideRows(rows, background, { ...RULES, holdsUncompared: true });

    expect([sent?.state, held?.state]).toEqual(["ready", "held"]);
    expect(held?.issues.map(({ code }) => code)).toEqual(["E_GUARD_PRICE_UNIT"]);
  });
});

const check = (
  checks: PlanChecks,
  ...rows: readonly CandidateRow[]
): ReturnType<PlanChecks["check"]> =>
  checks.check(rows, decideRows(rows, backgroundOf(listedRow("B1", { stock: 5 })), RULES));

describe("createPlanChecks", () => {
  it("lets one row update a product, over all batches of a plan", () => {
    const checks = createPlanChecks();

    const [first] = check(checks, wants(2, "B1", { stock_count: 7 }));
    const [second] = check(checks, wants(3, "B1", { stock_count: 8 }));

    expect([first?.state, second?.state]).toEqual(["ready", "duplicate"]);
  });

  it.each(["leaving", "asked"] as const)(
    "counts an emptied stock that does not wait for its price by the scope %s",
    (scope) => {
      const checks = createPlanChecks(scope);
      const row = wants(2, "B1", { stock_count: 0, price: price(1) });
      const background = backgroundOf(listedRow("B1", { stock: 5, price: 1_000 }));

      const [decision] = checks.check([row], decideRows([row], background, RULES));

      expect(decision?.state).toBe("held");
      expect(checks.stock.counts()).toEqual({ rows: 1, emptied: 1 });
    },
  );
});

describe("toProductKeys", () => {
  const normalization = ["upper"] as const;
  const exact = { normalization, codeKey: (code: string) => code };
  const found = {
    byCode: new Map([
      ["a1", ["a1"]],
      ["B1", ["B1"]],
    ]),
    byId: new Map([[id("p9"), ["p9"]]]),
  };

  it.each([
    ["its unknown id and not by its code", { code: "a1", productId: id("p8") }, []],
    ["its id", { code: "a1", productId: id("p9") }, ["p9"]],
    ["its code", { code: "a1", productId: null }, ["a1"]],
    ["its code as the store writes it", { code: "b1", productId: null }, ["B1"]],
    ["a code that no product has", { code: "c1", productId: null }, []],
  ])("finds the products of a row by %s", (_how, { code, productId }, products) => {
    const row = candidate(2, code, { codeKey: code, productId });

    const keys = toProductKeys([row], exact);

    expect(keys.productsOf(row, found)).toEqual(products);
  });
});
