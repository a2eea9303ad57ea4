import { idSchemas } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { toSheetAmount } from "../../src/columns/amount-columns.ts";
import { priceFields } from "../../src/columns/product-columns.ts";

describe("toSheetAmount", () => {
  const cases = [
    [328390, "minor", 3283.9],
    ["3283.90", "major", 3283.9],
    [12.345, "major", 12.345],
    [1234.5, "minor", 12.345],
    [0.1 + 0.2, "major", 0.3],
    [5, "unknown", undefined],
  ] as const;
  for (const [amount, unit, expected] of cases) {
    it(`turns ${amount} in ${unit} units into ${expected}`, () => {
      expect(toSheetAmount(amount, unit)).toBe(expected);
    });
  }
});

describe("priceFields", () => {
  it.each([
    [1, true],
    [2, false],
    [3, true],
  ])("takes the value of a discount of type %d for money: %s", (type, isMoney) => {
    const column = priceFields("minor").find(({ key }) => key === "discount_value");
    const product = { price: 9000, has_discount: true, discount_type: type, discount_value: 20 };

    const found = column?.isMoney?.({
      product: { id: idSchemas.product.parse("a".repeat(24)), ...product },
      status: "approved",
    });

    expect(found).toBe(isMoney);
  });
});
