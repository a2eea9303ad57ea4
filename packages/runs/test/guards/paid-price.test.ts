import { describe, expect, it } from "vitest";

import { type PriceTag, toPaidPrice } from "../../src/plan/compare.ts";

const CASES: readonly (readonly [tag: PriceTag, paid: number | undefined])[] = [
  [{}, undefined],
  [{ price: 1000 }, 1000],
  [{ price: 1000, has_discount: false, discount_type: 2, discount_value: 20 }, 1000],
  [{ price: 1000, has_discount: true, discount_type: 1, discount_value: 150 }, 850],
  [{ price: 999, has_discount: true, discount_type: 2, discount_value: 33 }, 669],
  [{ price: 1000, has_discount: true, discount_type: 3, discount_value: 700 }, 700],
  [{ price: 1000, has_discount: true }, undefined],
  [{ price: 1000, has_discount: true, discount_type: 9, discount_value: 1 }, undefined],
];

describe("toPaidPrice", () => {
  it.each(CASES)("computes for %j a paid price of %s", (tag, paid) => {
    expect(toPaidPrice(tag)).toBe(paid);
  });
});
