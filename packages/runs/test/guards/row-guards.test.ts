import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ALL_GUARDS, GUARD_NAMES, type GuardName } from "../../src/guards/guard-settings.ts";
import { type PriceTag } from "../../src/guards/paid-price.ts";
import { guardPrice } from "../../src/guards/row-guards.ts";

const RATE_20 = { has_discount: true, discount_type: 2, discount_value: 20 };

const CASES: readonly (readonly [name: string, old: PriceTag, sent: PriceTag, found: string])[] = [
  ["a price that falls by half", { price: 1000 }, { price: 500 }, ""],
  ["a price that falls by more", { price: 1000 }, { price: 499 }, "price-drop price -50%"],
  ["a price that triples", { price: 1000 }, { price: 3000 }, ""],
  ["a price that more than triples", { price: 1000 }, { price: 3001 }, "price-rise price 200%"],
  [
    "a price a hundred times as high",
    { price: 1999 },
    { price: 199_900 },
    "price-scale price 9900%",
  ],
  ["a price a hundredth as high", { price: 199_900 }, { price: 1999 }, "price-scale price -99%"],
  ["a price ninety times as high", { price: 1000 }, { price: 90_000 }, "price-scale price 8900%"],
  ["a price eighty times as high", { price: 1000 }, { price: 80_000 }, "price-rise price 7900%"],
  ["a price that nobody knows", {}, { price: 1 }, ""],
  ["a price of nothing before", { price: 0 }, { price: 1000 }, ""],
  ["an update without a price", { price: 1000 }, {}, ""],
  ["a discount that halves what is paid", { price: 1000 }, { ...RATE_20, discount_value: 50 }, ""],
  [
    "a discount that takes more than half",
    { price: 1000 },
    { ...RATE_20, discount_value: 90 },
    "price-drop paid_price -90%",
  ],
  [
    "a discount that ends, however high it was",
    { price: 1000, ...RATE_20, discount_value: 90 },
    { has_discount: false },
    "",
  ],
  [
    "a price below the discounted price that stands",
    { price: 1000, has_discount: true, discount_type: 3, discount_value: 800 },
    { price: 700 },
    "discount-price paid_price",
  ],
  [
    "a price below the amount that is taken off",
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
  ["a discount whose kind nobody knows", { price: 1000, has_discount: true }, { price: 900 }, ""],
];

const inWords = (old: PriceTag, sent: PriceTag, allowed: readonly GuardName[] = []): string =>
  guardPrice({ old, sent }, { ...ALL_GUARDS, allowed: new Set(allowed) })
    .map(({ guard, field, percent }) =>
      [guard, field, percent === undefined ? "" : `${percent}%`].join(" ").trim(),
    )
    .join(", ");

describe("guardPrice", () => {
  for (const [name, old, sent, found] of CASES) {
    it(`${found === "" ? "lets pass" : "holds"} ${name}`, () => {
      expect(inWords(old, sent)).toBe(found);
    });
  }

  it("holds a slip of the decimal sign as a rise where slips are allowed", () => {
    const found = inWords({ price: 1000 }, { price: 100_000 }, ["price-scale"]);

    expect(found).toBe("price-rise price 9900%");
  });

  it("lets everything pass where every guard is allowed", () => {
    const price = fc.integer({ min: 1, max: 10_000_000 });

    fc.assert(
      fc.property(price, price, (was, is) => {
        expect(inWords({ price: was }, { price: is }, GUARD_NAMES)).toBe("");
      }),
    );
  });

  it("holds exactly the prices outside of half and three times the old one", () => {
    const price = fc.integer({ min: 1, max: 1_000_000 });

    fc.assert(
      fc.property(price, price, (was, is) => {
        expect(inWords({ price: was }, { price: is }) === "").toBe(2 * is >= was && is <= 3 * was);
      }),
    );
  });
});
