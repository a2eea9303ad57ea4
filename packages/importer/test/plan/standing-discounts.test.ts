import { expect, it } from "vitest";

import { createStandingDiscounts } from "../../src/plan/standing-discounts.ts";

const PRICE = { field: "price", old: 5000, new: 6000 };
const LISTED = { has_discount: true, discount_type: 3 };

it("warns of the rows, among those whose price changes, whose buyers go on paying the discounted price", () => {
  const discounts = createStandingDiscounts(String);
  for (let row = 2; row < 9; row += 1) discounts.note({ row, changes: [PRICE] }, LISTED);

  discounts.note({ row: 9, changes: [PRICE] }, { has_discount: false });
  discounts.note({ row: 10, changes: [{ field: "stock_count", new: 1 }] }, LISTED);

  expect(discounts.warnings()).toMatchObject([{ code: "W_STANDING_DISCOUNT" }]);
  expect(discounts.warnings()[0]?.message.tr).toContain(
    "Fiyatı değişen 8 satırın 7 tanesinde alıcı şimdiki indirimli fiyatı ödemeye devam eder, çünkü mağazadaki indirim sürüyor (satırlar: 2, 3, 4, 5, 6, …).",
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

  expect(discounts.warnings()).toEqual([]);
});
