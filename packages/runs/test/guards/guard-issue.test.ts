import type { Localized } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { toGuardIssue } from "../../src/guards/guard-issue.ts";
import { ALL_GUARDS } from "../../src/guards/guard-settings.ts";
import { guardPrice } from "../../src/guards/price-guards.ts";

const LOCATION = { sheet: "", row: 2, column: "price", cell: "B2", value: "" };

/** The text of what holds a new price of a product at 3,990.00 that is sold at a discounted price. */
function held(discount: number, price: number): Localized {
  const old = { price: 399_000, has_discount: true, discount_type: 3, discount_value: discount };
  const [finding] = guardPrice({ old, sent: { price } }, { ...ALL_GUARDS, allowed: new Set() });
  if (finding === undefined) throw new Error("nothing held the price");
  return toGuardIssue(finding, LOCATION).message;
}

const describeScale = (old: number, next: number): Localized => {
  const percent = Math.round(((next - old) / old) * 100);
  const finding = { guard: "price-scale", field: "price", old, new: next, percent } as const;
  return toGuardIssue(finding, LOCATION).message;
};

it("says where to correct a value that a guard holds", () => {
  const finding = { guard: "price-drop", field: "price", old: 200, new: 50 } as const;

  const { suggestion } = toGuardIssue(finding, LOCATION);

  expect(suggestion?.tr).toContain("kendi dosyanızda düzeltip dosyayı yeniden yükleyin");
  expect(suggestion?.en).toContain("correct it in your own file and import that file again");
});

it.each([
  [
    345_000,
    "(3.450,00) fiyattan (1.250,00) düşük değil. Mağaza",
    "is not below the price (1,250.00). The",
  ],
  [0, "(0,00) sıfırdan büyük değil. Mağaza", "is not above zero. The"],
] as const)("says what is wrong with a discounted price of %s", (next, tr, en) => {
  const finding = { guard: "discount-price", field: "paid_price", new: next } as const;

  const { message } = toGuardIssue({ ...finding, price: 125_000 }, LOCATION);

  expect(message.tr).toContain(tr);
  expect(message.en).toContain(en);
});

describe("the text of a held price of a product with a discount", () => {
  it("says that the buyer goes on paying the discounted price", () => {
    const { tr, en } = held(100_000, 150_000);

    expect(tr).toContain("Fiyat 3.990,00 iken 1.500,00 olacak (−%62). Alıcı indirimli 1.000,00");
    expect(en).toContain("The buyer goes on paying the discounted 1,000.00.");
  });

  it("compares the price of the file with what is paid now where the discount is no longer one", () => {
    const { tr, en } = held(345_000, 344_810);

    expect(tr).toContain("Alıcı şimdi 3.450,00 ödüyor; dosyadaki fiyat bundan %0,1 düşük.");
    expect(en).toContain("The buyer pays 3,450.00 now; the price of the file is 0.1% lower.");
  });

  it("says what is paid before and after where the discount is a rate", () => {
    const old = { price: 100_000, has_discount: true, discount_type: 2, discount_value: 10 };
    const change = { old, sent: { price: 40_000 } };

    const [finding] = guardPrice(change, { ...ALL_GUARDS, allowed: new Set() });

    expect(finding).toMatchObject({ field: "price", paid: { old: 90_000, new: 36_000 } });
    expect(finding && toGuardIssue(finding, LOCATION).message.tr).toContain(
      "Alıcının ödediği 900,00 iken 360,00 olacak.",
    );
  });
});

describe("the text of a price whose decimal sign may have slipped", () => {
  it("speaks of a hundred times the old price where it rises", () => {
    const { tr, en } = describeScale(10_000, 1_000_000);

    expect(tr).toContain("; yüz katına çok yakın, virgül ya da kuruş kayması olabilir.");
    expect(en).toContain(", close to a hundred times as much: a decimal sign may have slipped.");
  });

  it("speaks of a hundredth of the old price where it falls", () => {
    const { tr, en } = describeScale(10_000, 100);

    expect(tr).toContain("; yüzde birine çok yakın, virgül ya da kuruş kayması olabilir.");
    expect(en).toContain(", close to a hundredth: a decimal sign may have slipped.");
  });
});

it("the text of a held price whose row has a new stock says that the stock does not wait with the price", () => {
  const finding = { guard: "price-drop", field: "price", old: 10_000, new: 4_000 } as const;
  const { tr, en } = toGuardIssue(finding, LOCATION, { stock_count: 0 }).message;

  expect(tr).toContain("Satırın yeni stoğu (0) fiyatı beklemez, gönderilir.");
  expect(en).toContain("The row's new stock (0) does not wait for the price and is sent.");
});

it("the advice on a price that two guards hold names both, as one of them alone would not send it", () => {
  const [finding] = guardPrice({ old: { price: 100 }, sent: { price: 10_000 } }, ALL_GUARDS);
  if (finding === undefined) throw new Error("no guard holds the price");

  const { tr, en } = toGuardIssue(finding, LOCATION).suggestion ?? {};

  expect(tr).toContain("--allow price-scale,price-rise ile");
  expect(en).toContain("with --allow price-scale,price-rise,");
});
