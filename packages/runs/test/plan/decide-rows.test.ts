import { describe, expect, it } from "vitest";

import { ALL_GUARDS } from "../../src/guards/guard-settings.ts";
import { decideRow } from "../../src/plan/decide-row.ts";
import {
  createDuplicateProductCheck,
  createPlanChecks,
  createSameRequest,
  decideRows,
  type PlanChecks,
  type PlanRules,
  toSameCode,
} from "../../src/plan/decide-rows.ts";
import { type RowBackground, toProductKeys } from "../../src/plan/row-background.ts";
import type { ListedProductRow } from "../../src/ports/journal.ts";
import type { StoreProduct } from "../../src/ports/product.ts";
import type { CandidateRow } from "../../src/row/row-record.ts";
import { checkFakeUpdate } from "../../src/testing/fake-marketplace.ts";
import { addBody, candidate, codeKey, toProductId, listed, price } from "../../src/testing/rows.ts";

const RULES: PlanRules = { priceUnit: "minor", sameCode: new Map(), checkUpdate: checkFakeUpdate };

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
    byId: new Map([[toProductId("p9"), ["p9"]]]),
  };

  it.each([
    ["its unknown id and not by its code", { code: "a1", productId: toProductId("p8") }, []],
    ["its id", { code: "a1", productId: toProductId("p9") }, ["p9"]],
    ["its code", { code: "a1", productId: null }, ["a1"]],
    ["its code as the store writes it", { code: "b1", productId: null }, ["B1"]],
    ["a code that no product has", { code: "c1", productId: null }, []],
  ])("finds the products of a row by %s", (_how, { code, productId }, products) => {
    const row = candidate(2, code, { codeKey: code, productId });

    const keys = toProductKeys([row], exact);

    expect(keys.productsOf(row, found)).toEqual(products);
  });
});

it("toSameCode returns all but the first of identical rows, and all of different ones", () => {
  const sameCode = toSameCode([
    { rows: [2, 5], identical: true },
    { rows: [3, 4], identical: false },
  ]);

  expect([...sameCode]).toEqual([
    [5, [2, 5]],
    [3, [3, 4]],
    [4, [3, 4]],
  ]);
});

const titled = (row: number, title: string): CandidateRow =>
  candidate(row, "A1", { completeAdd: () => ({ ok: true, body: addBody("A1", { title }) }) });

describe("createSameRequest", () => {
  it("compares every row with the first one", () => {
    const isSame = createSameRequest();

    const same = ["Cup", "Cup", "Mug"].map((title, n) => isSame(titled(n + 2, title)));

    expect(same).toEqual([true, true, false]);
  });

  it("calls a row with an error different", () => {
    const isSame = createSameRequest();
    const { codeLocation } = candidate(2, "A1");
    const issues = [{ code: "E_NUMBER", ...codeLocation, message: { tr: "tr", en: "en" } }];

    expect(isSame(candidate(2, "A1", { issues }))).toBe(false);
  });
});

const SHOWN: StoreProduct = {
  id: toProductId("p1"),
  product_code: "A1",
  title: "Cup",
  price: 1000,
};

/**
 * Plans row 2, which has the product's code, and row 3, which has its id; the listed price is
 * 10.00.
 */
function planTwo(first: number, second: number): readonly string[] {
  const refuseSecond = createDuplicateProductCheck();
  const rows = [
    candidate(2, "A1", { changes: { price: price(first) } }),
    candidate(3, null, { productId: toProductId("p1"), changes: { price: price(second) } }),
  ];
  return rows.map((row) => {
    const decision = decideRow(row, {
      seen: [{ codeKey: "a1", status: "approved", product: SHOWN }],
      known: undefined,
      sameCode: [],
      lastSent: undefined,
      priceUnit: "minor",
      mode: "upsert",
      guards: ALL_GUARDS,
      checkUpdate: checkFakeUpdate,
    });
    const { state, payload, changes, issues } = refuseSecond(decision, row);
    const sends = payload === null && changes.length === 0 ? "nothing" : JSON.stringify(payload);
    return [state, sends, ...issues.map(({ code }) => code)].join(" ");
  });
}

const SENT = '{"price":1100,"product_id":"p1"}';
const HELD = 'held {"price":400,"product_id":"p1"} E_GUARD_PRICE_DROP';
const REFUSED = "duplicate nothing E_PRODUCT_TWICE";

describe("planning a second row for the same product", () => {
  const cases = [
    ["the first one changes it", [1100, 1200], [`ready ${SENT}`, REFUSED]],
    ["the first one is unchanged", [1000, 1100], ["unchanged nothing", REFUSED]],
    ["a guard holds the first one, which a person may release", [400, 1100], [HELD, REFUSED]],
    ["a guard would hold the second one alone", [1100, 400], [`ready ${SENT}`, REFUSED]],
    ["a guard would hold both", [400, 300], [HELD, REFUSED]],
  ] as const;
  for (const [name, [first, second], expected] of cases) {
    it(`refuses the second row where ${name}`, () => {
      expect(planTwo(first, second)).toEqual(expected);
    });
  }

  it("plans the second row where the first one has an error of its own", () => {
    const refuseSecond = createDuplicateProductCheck();
    const nothing = { action: null, payload: null, changes: [], issues: [] } as const;
    const wrong = { ...nothing, row: 2, state: "invalid", productId: toProductId("p1") } as const;
    const good = { ...wrong, row: 3, state: "unchanged" } as const;

    const planned = [wrong, good].map((each) => refuseSecond(each, candidate(each.row, "A1")));

    expect(planned).toEqual([wrong, good]);
  });
});
