import type { ProductChanges } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { ALL_GUARDS, toGuardSettings } from "../../src/guards/guard-settings.ts";
import { holdUnguardedUpdate } from "../../src/guards/price-guards.ts";
import { decideRow } from "../../src/plan/decide-row.ts";
import type { ListedProductRow } from "../../src/ports/journal.ts";
import type { RowDecision } from "../../src/row/row-record.ts";
import { candidate, id, price } from "../../src/testing/rows.ts";

type Shown = Partial<ListedProductRow["product"]>;

/** Holds an update of a feed for a product of which only these values are known. */
function hold(wanted: ProductChanges, shown: Shown = {}, guards = ALL_GUARDS): RowDecision {
  const cell = { sheet: "", row: 2, column: "Fiyat", cell: "B2", value: "4,00" };
  const row = candidate(2, "A1", { changes: wanted, locationOf: () => cell });
  const product = { id: id("p1"), product_code: "A1", stock: 3, ...shown };
  const seen = [{ codeKey: "a1", status: "approved", product }];
  const background = { known: undefined, sameCode: [], lastSent: undefined, guards } as const;
  const planned = decideRow(row, { ...background, seen, priceUnit: "minor", mode: "update" });
  return holdUnguardedUpdate(planned, row, { seen, guards });
}

const output = ({ state, issues }: RowDecision): string =>
  [state, ...issues.map(({ code, cell }) => `${cell} ${code}`)].join(" ");

describe("holdUnguardedUpdate", () => {
  it("holds a whole row whose new price cannot be compared, its stock included", () => {
    const decision = hold({ price: price(400), stock_count: 7 });

    expect(output(decision)).toBe("held B2 E_GUARD_PRICE_UNIT");
    expect(decision.payload).toMatchObject({ price: 400, stock_count: 7 });
    expect(decision.issues[0]?.suggestion?.en).toContain("--price-unit minor");
  });

  it("holds a discount on an unknown price", () => {
    const discount = { has_discount: true, discount_type: 2, discount_value: 90 } as const;

    expect(output(hold(discount))).toBe("held B2 E_GUARD_PRICE_UNIT");
  });

  it("holds a discount that replaces one of unknown value", () => {
    const discount = { has_discount: true, discount_type: 3, discount_value: 100 } as const;

    const decision = hold(discount, { price: 1000, has_discount: true, discount_type: 3 });

    expect(output(decision)).toBe("held B2 E_GUARD_PRICE_UNIT");
  });

  it("passes a change of stock alone", () => {
    expect(output(hold({ stock_count: 7 }))).toBe("ready");
  });

  it("leaves the price of a product whose last price we sent to the other guards", () => {
    expect(output(hold({ price: price(900) }, { price: 1000 }))).toBe("ready");
    expect(output(hold({ price: price(10) }, { price: 1000 }))).toBe("held B2 E_GUARD_PRICE_SCALE");
  });

  it("passes everything where every guard that needs an old price is allowed", () => {
    const guards = toGuardSettings({}, ["price-drop", "price-rise", "price-scale"]);

    expect(output(hold({ price: price(400) }, {}, guards))).toBe("ready");
  });
});
