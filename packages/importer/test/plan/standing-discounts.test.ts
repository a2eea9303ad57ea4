import { expect, it } from "vitest";

import { createStandingDiscounts } from "../../src/plan/standing-discounts.ts";

const PRICE = { field: "price", old: 5000, new: 6000 };
const LISTED = { has_discount: true, discount_type: 3 };

it("names the rows whose price changes while the store sells at a discounted price", () => {
  const discounts = createStandingDiscounts(String);
  for (let row = 2; row < 9; row += 1) discounts.note({ row, changes: [PRICE] }, LISTED);

  expect(discounts.notes()).toHaveLength(1);
  expect(discounts.notes()[0]?.tr).toContain(
    "7 satırda fiyat değişiyor ama mağazadaki indirim sürüyor (satırlar: 2, 3, 4, 5, 6, …)",
  );
});

it.each([
  ["the discount changes too", { changes: [PRICE, { field: "discount_value", new: 1 }] }, LISTED],
  ["the price stays", { changes: [{ field: "stock_count", new: 1 }] }, LISTED],
  ["the discount is a rate of the price", { changes: [PRICE] }, { ...LISTED, discount_type: 2 }],
  ["there is no discount", { changes: [PRICE] }, { ...LISTED, has_discount: false }],
  ["the product is not listed", { changes: [PRICE] }, undefined],
])("says nothing where %s", (_, { changes }, listed) => {
  const discounts = createStandingDiscounts(String);

  discounts.note({ row: 2, changes }, listed);

  expect(discounts.notes()).toEqual([]);
});
