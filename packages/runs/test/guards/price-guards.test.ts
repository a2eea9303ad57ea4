import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  ALL_GUARDS,
  type GuardName,
  toGuardSettings,
  GUARDS,
} from "../../src/guards/guard-settings.ts";
import { guardPrice, holdUnguardedUpdate } from "../../src/guards/price-guards.ts";
import { type PriceTag, toPaidPrice } from "../../src/plan/compare.ts";
import { decideRow } from "../../src/plan/decide-row.ts";
import type { ListedProductRow } from "../../src/ports/journal.ts";
import type { ProductChanges } from "../../src/ports/product.ts";
import type { RowDecision } from "../../src/row/row-record.ts";
import { checkFakeUpdate } from "../../src/testing/fake-marketplace.ts";
import { candidate, toProductId, price } from "../../src/testing/rows.ts";

const discounted = (type: number, value: number, of?: number): PriceTag => ({
  ...(of === undefined ? {} : { price: of }),
  has_discount: true,
  discount_type: type,
  discount_value: value,
});

/** What the guards find where a price, or a price with its discount, follows another. */
const CASES: readonly (readonly [
  name: string,
  old: PriceTag | number,
  sent: PriceTag | number,
  found: string,
])[] = [
  ["a price that falls by 50 %", 1000, 500, ""],
  ["a price that falls by more than 50 %", 1000, 499, "price-drop price -50%"],
  ["a price that triples", 1000, 3000, ""],
  ["a price that more than triples", 1000, 3001, "price-rise price 200%"],
  ["a price a hundred times as high", 1999, 199_900, "price-scale price 9900%"],
  ["a price a hundredth as high", 199_900, 1999, "price-scale price -99%"],
  ["a price that falls to almost nothing", 88_190, 100, "price-drop price -99.9%"],
  ["a price ninety times as high", 1000, 90_000, "price-scale price 8900%"],
  ["a price eighty times as high", 1000, 80_000, "price-rise price 7900%"],
  ["a price whose old value is unknown", {}, 1, ""],
  ["a price whose old value is 0", 0, 1000, ""],
  ["an update without a price", 1000, {}, ""],
  ["a discount that halves the paid price", 1000, discounted(2, 50), ""],
  ["a discount of more than half", 1000, discounted(2, 90), "price-drop paid_price -90%"],
  ["the end of a discount of 90 %", discounted(2, 90, 1000), { has_discount: false }, ""],
  ["a price below the discounted one", discounted(3, 800, 1000), 700, "discount-price paid_price"],
  ["a price not above its discount", discounted(1, 600, 1000), 600, "discount-price paid_price"],
  ["a price that falls together with its discount", discounted(2, 20, 1000), 600, ""],
  ["a price with a discount of unknown type", { price: 1000, has_discount: true }, 900, ""],
];

const tagOf = (given: PriceTag | number): PriceTag =>
  typeof given === "number" ? { price: given } : given;

const inWords = (old: PriceTag, sent: PriceTag, allowed: readonly GuardName[] = []): string =>
  guardPrice({ old, sent }, { ...ALL_GUARDS, allowed: new Set(allowed) })
    .map(({ guard, field, percent }) =>
      [guard, field, percent === undefined ? "" : `${percent}%`].join(" ").trim(),
    )
    .join(", ");

describe("guardPrice", () => {
  for (const [name, old, sent, found] of CASES) {
    it(`${found === "" ? "passes" : "holds"} ${name}`, () => {
      expect(inWords(tagOf(old), tagOf(sent))).toBe(found);
    });
  }

  it("holds a misplaced decimal sign as a rise where the price-scale guard is allowed", () => {
    const found = inWords({ price: 1000 }, { price: 100_000 }, ["price-scale"]);

    expect(found).toBe("price-rise price 9900%");
  });

  it("passes everything where every guard is allowed", () => {
    const minor = fc.integer({ min: 1, max: 10_000_000 });

    fc.assert(
      fc.property(minor, minor, (was, is) => {
        expect(inWords({ price: was }, { price: is }, GUARDS.names)).toBe("");
      }),
    );
  });

  it("holds exactly the prices below half and above three times the old price", () => {
    const minor = fc.integer({ min: 1, max: 1_000_000 });

    fc.assert(
      fc.property(minor, minor, (was, is) => {
        expect(inWords({ price: was }, { price: is }) === "").toBe(2 * is >= was && is <= 3 * was);
      }),
    );
  });
});

const PAID_PRICES: readonly (readonly [tag: PriceTag, paid: number | undefined])[] = [
  [{}, undefined],
  [{ price: 1000 }, 1000],
  [{ price: 1000, has_discount: false, discount_type: 2, discount_value: 20 }, 1000],
  [{ price: 1000, has_discount: true, discount_type: 1, discount_value: 150 }, 850],
  [{ price: 999, has_discount: true, discount_type: 2, discount_value: 33 }, 669],
  [{ price: 1000, has_discount: true, discount_type: 3, discount_value: 700 }, 700],
  [{ price: 1000, has_discount: true }, undefined],
  [{ price: 1000, has_discount: true, discount_type: 9, discount_value: 1 }, undefined],
];

it.each(PAID_PRICES)("toPaidPrice computes for %j a paid price of %s", (tag, paid) => {
  expect(toPaidPrice(tag)).toBe(paid);
});

type Shown = Partial<ListedProductRow["product"]>;

/** Holds an update of a feed for a product of which only these values are known. */
function hold(wanted: ProductChanges, shown: Shown = {}, guards = ALL_GUARDS): RowDecision {
  const cell = { sheet: "", row: 2, column: "Fiyat", cell: "B2", value: "4,00" };
  const row = candidate(2, "A1", { changes: wanted, locationOf: () => cell });
  const product = { id: toProductId("p1"), product_code: "A1", stock: 3, ...shown };
  const seen = [{ codeKey: "a1", status: "approved", product }];
  const background = { known: undefined, sameCode: [], lastSent: undefined } as const;
  const rules = { guards, checkUpdate: checkFakeUpdate };
  const planned = decideRow(row, {
    ...background,
    ...rules,
    seen,
    priceUnit: "minor",
    mode: "update",
  });
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
