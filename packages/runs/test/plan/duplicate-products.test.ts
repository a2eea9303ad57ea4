import type { StoreProduct } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { ALL_GUARDS } from "../../src/guards/guard-settings.ts";
import { decideRow } from "../../src/plan/decide-row.ts";
import { createDuplicateProductCheck } from "../../src/plan/decide-rows.ts";
import { candidate, id, price } from "../../src/testing/rows.ts";

const SHOWN: StoreProduct = { id: id("p1"), product_code: "A1", title: "Cup", price: 1000 };

/**
 * Plans row 2, which has the product's code, and row 3, which has its id; the listed price is
 * 10.00.
 */
function planTwo(first: number, second: number): readonly string[] {
  const refuseSecond = createDuplicateProductCheck();
  const rows = [
    candidate(2, "A1", { changes: { price: price(first) } }),
    candidate(3, null, { productId: id("p1"), changes: { price: price(second) } }),
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
    const wrong = { ...nothing, row: 2, state: "invalid", productId: id("p1") } as const;
    const good = { ...wrong, row: 3, state: "unchanged" } as const;

    const planned = [wrong, good].map((each) => refuseSecond(each, candidate(each.row, "A1")));

    expect(planned).toEqual([wrong, good]);
  });
});
