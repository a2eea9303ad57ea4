import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ALL_GUARDS, GUARD_NAMES, type GuardName } from "../../src/guards/guard-settings.ts";
import { guardPrice } from "../../src/guards/price-guards.ts";
import type { PriceTag } from "../../src/plan/compare.ts";

const RATE_20 = { has_discount: true, discount_type: 2, discount_value: 20 };

const CASES: readonly (readonly [name: string, old: PriceTag, sent: PriceTag, found: string])[] = [
  ["a price that falls by 50 %", { price: 1000 }, { price: 500 }, ""],
  [
    "a price that falls by more than 50 %",
    { price: 1000 },
    { price: 499 },
    "price-drop price -50%",
  ],
  ["a price that triples", { price: 1000 }, { price: 3000 }, ""],
  ["a price that more than triples", { price: 1000 }, { price: 3001 }, "price-rise price 200%"],
  [
    "a price a hundred times as high",
    { price: 1999 },
    { price: 199_900 },
    "price-scale price 9900%",
  ],
  ["a price a hundredth as high", { price: 199_900 }, { price: 1999 }, "price-scale price -99%"],
  [
    "a price that falls to almost nothing",
    { price: 88_190 },
    { price: 100 },
    "price-drop price -99.9%",
  ],
  ["a price ninety times as high", { price: 1000 }, { price: 90_000 }, "price-scale price 8900%"],
  ["a price eighty times as high", { price: 1000 }, { price: 80_000 }, "price-rise price 7900%"],
  ["a price whose old value is unknown", {}, { price: 1 }, ""],
  ["a price whose old value is 0", { price: 0 }, { price: 1000 }, ""],
  ["an update without a price", { price: 1000 }, {}, ""],
  [
    "a discount that halves the paid price",
    { price: 1000 },
    { ...RATE_20, discount_value: 50 },
    "",
  ],
  [
    "a discount of more than half of the price",
    { price: 1000 },
    { ...RATE_20, discount_value: 90 },
    "price-drop paid_price -90%",
  ],
  [
    "the end of a discount of 90 %",
    { price: 1000, ...RATE_20, discount_value: 90 },
    { has_discount: false },
    "",
  ],
  [
    "a price below the store's discounted price",
    { price: 1000, has_discount: true, discount_type: 3, discount_value: 800 },
    { price: 700 },
    "discount-price paid_price",
  ],
  [
    "a price not above the discount amount",
    { price: 1000, has_discount: true, discount_type: 1, discount_value: 600 },
    { price: 600 },
    "discount-price paid_price",
  ],
  [
    "a price that falls together with its discount",
    { price: 1000, ...RATE_20 },
    { price: 600 },
    "",
  ],
  [
    "a price with a discount of unknown type",
    { price: 1000, has_discount: true },
    { price: 900 },
    "",
  ],
];

const inWords = (old: PriceTag, sent: PriceTag, allowed: readonly GuardName[] = []): string =>
  guardPrice({ old, sent }, { ...ALL_GUARDS, allowed: new Set(allowed) })
    .map(({ guard, field, percent }) =>
      [guard, field, percent === undefined ? "" : `${percent}%`].join(" ").trim(),
    )
    .join(", ");

describe("guardPrice", () => {
  for (const [name, old, sent, found] of CASES) {
    it(`${found === "" ? "passes" : "holds"} ${name}`, () => {
      expect(inWords(old, sent)).toBe(found);
    });
  }

  it("holds a misplaced decimal sign as a rise where the price-scale guard is allowed", () => {
    const found = inWords({ price: 1000 }, { price: 100_000 }, ["price-scale"]);

    expect(found).toBe("price-rise price 9900%");
  });

  it("passes everything where every guard is allowed", () => {
    const price = fc.integer({ min: 1, max: 10_000_000 });

    fc.assert(
      fc.property(price, price, (was, is) => {
        expect(inWords({ price: was }, { price: is }, GUARD_NAMES)).toBe("");
      }),
    );
  });

  it("holds exactly the prices below half and above three times the old price", () => {
    const price = fc.integer({ min: 1, max: 1_000_000 });

    fc.assert(
      fc.property(price, price, (was, is) => {
        expect(inWords({ price: was }, { price: is }) === "").toBe(2 * is >= was && is <= 3 * was);
      }),
    );
  });
});
