import type { ProductChanges } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { ALL_GUARDS } from "../../src/guards/guard-settings.ts";
import { decideRow } from "../../src/plan/decide-row.ts";
import { createUnsendableCount, isUnsendable } from "../../src/plan/decide-rows.ts";
import type { RowDecision } from "../../src/row/row-record.ts";
import { candidate, id, price } from "../../src/testing/rows.ts";

/**
 * Plans a row for a product with a stock of 3 and a price of 10, in a store that ignores stock and
 * discount.
 */
function plan(
  changes: ProductChanges,
  refused: readonly string[] = ["stock_count", "discount_value"],
): RowDecision {
  const product = {
    id: id("p1"),
    product_code: "A1",
    title: "A",
    stock: 3,
    price: 1000,
    has_discount: false,
    currency: "TL",
  };
  return decideRow(candidate(2, "A1", { changes }), {
    seen: [{ codeKey: "a1", status: "approved", product }],
    known: undefined,
    sameCode: [],
    lastSent: undefined,
    priceUnit: "minor",
    mode: "upsert",
    guards: ALL_GUARDS,
    refused: new Set(refused),
    nameField: (field) => ({ tr: `${field} (tr)`, en: `${field} (en)` }),
  });
}

const DISCOUNT = { has_discount: true, discount_type: 2, discount_value: 10 } as const;

describe("planning a field that the store was seen to ignore", () => {
  it("names the field in words of the language", () => {
    const [issue] = plan({ stock_count: 7 }).issues;

    expect(issue?.message.tr).toContain("gönderilmedi: stock_count (tr).");
    expect(issue?.message.en).toContain("not sent: stock_count (en).");
  });

  it.each([
    ["a difference that cannot be sent", { stock_count: 7 }, "skipped", ["stock_count"]],
    ["the value that the store has", { stock_count: 3 }, "unchanged", []],
    ["the store's value beside another change", { stock_count: 3, title: "B" }, "ready", []],
    [
      "a difference beside another change",
      { stock_count: 7, title: "B" },
      "ready",
      ["stock_count"],
    ],
    ["a discount of which one part is refused", DISCOUNT, "skipped", Object.keys(DISCOUNT)],
    [
      "a difference beside a price that falls too far",
      { stock_count: 7, price: price(1) },
      "held",
      ["stock_count"],
    ],
  ] as const)("plans a row with %s, without the field", (...[, changes, state, unsent]) => {
    const decision = plan(changes);

    expect([decision.state, decision.unsent]).toEqual([state, unsent]);
    expect(decision.issues.some(({ code }) => code === "W_FIELD_REFUSED")).toBe(unsent.length > 0);
    expect(decision.payload ?? {}).not.toHaveProperty("stock_count");
    expect(isUnsendable(decision)).toBe(state === "skipped");
  });

  it("sends no amount in another currency than the one that the product keeps", () => {
    const amounts = { price: price(990), ...DISCOUNT };

    const kept = plan({ currency: "USD", title: "B", ...amounts }, ["currency"]);
    const same = plan({ currency: "TL", ...amounts }, ["currency"]);

    expect(kept.payload).toEqual({ title: "B", product_id: "p1" });
    expect(kept.unsent).toEqual(["currency", ...Object.keys(amounts)]);
    expect(same.payload).toEqual({ ...amounts, product_id: "p1" });
  });

  it("counts rows with unsendable fields apart from the classes of rows", () => {
    const count = createUnsendableCount();

    count.note(plan({ stock_count: 7 }));
    count.note(plan({ stock_count: 7, title: "B" }));
    count.note(plan({ stock_count: 3 }));
    count.note({ ...plan({ stock_count: 7 }), state: "duplicate" });

    expect(count.counts()).toEqual({ rows: 1, partly: 1, fields: ["stock_count"] });
  });
});
