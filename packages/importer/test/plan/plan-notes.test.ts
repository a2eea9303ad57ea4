import type { RowMapper } from "@catalog/mapping";
import { describe, expect, it } from "vitest";

import {
  createStandingDiscounts,
  describePriceUnitQuestion,
  toPlanNotes,
  toVariantNotes,
  warnOfPriceUnit,
} from "../../src/plan/plan-notes.ts";

const cell = (
  text: string,
  isNumberCell: boolean,
  minor: number,
): RowMapper["prices"]["samples"][number] => ({
  text,
  isNumberCell,
  minor,
  currency: "TL",
});

it("writes number cells of prices with two decimals, and texts as they stand", () => {
  const [note] = toPlanNotes({
    mapping: { columns: [] },
    notations: { columns: new Map() },
    prices: [cell("349.9", true, 34_990), cell("1299.9", true, 129_990), cell("5", false, 500)],
    usedRules: [],
    properties: [],
    fetchedLists: 0,
  });

  expect(note?.tr).toBe(
    "Fiyatların gönderilişi: 349,90 → 34990 kuruş · 1.299,90 → 129990 kuruş · 5 → 500 kuruş",
  );
});

it("says that prices are read before the rules that change them", () => {
  const [note] = toPlanNotes({
    mapping: { columns: [] },
    notations: { columns: new Map() },
    prices: [cell("5", false, 500)],
    isBeforeRules: true,
    usedRules: [],
    properties: [],
    fetchedLists: 0,
  });

  expect(note?.tr).toBe("Dosyadaki fiyatların okunuşu, fiyat kurallarından önce: 5 → 500 kuruş");
});

it("says which currency prices get where the file names none", () => {
  const facts = {
    mapping: { columns: [] },
    notations: { columns: new Map() },
    usedRules: [],
    properties: [],
    fetchedLists: 0,
  };
  const assumed = { ...cell("5", false, 500), isAssumed: true };

  const [, note] = toPlanNotes({ ...facts, prices: [assumed] });
  const named = toPlanNotes({ ...facts, prices: [assumed, cell("6 TL", false, 600)] });

  expect(note?.tr).toBe(
    "Dosyada para birimi yazmıyor: yeni ürünlerin fiyatı TL olur, mağazadaki ürünler kendi para biriminde kalır.",
  );
  expect(named).toHaveLength(1);
});

it.each([
  [1, "1 list of names was read from the marketplace."],
  [2, "2 lists of names were read from the marketplace."],
  [1200, "1,200 lists of names were read from the marketplace."],
])("agrees with the number of %d lists", (fetchedLists, expected) => {
  const [note] = toPlanNotes({
    mapping: { columns: [] },
    notations: { columns: new Map() },
    prices: [],
    usedRules: [],
    properties: [],
    fetchedLists,
  });

  expect(note?.en).toBe(expected);
});

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

const QUESTION = {
  examples: [
    { code: "P-17", title: "Cup", currency: "TL", shown: 1000 },
    { code: "P-18", currency: "TL", shown: 24.5 },
  ],
  suggestion: { unit: "major", pairs: 36 },
} as const;

describe("the question for the unit of prices", () => {
  it("shows each product in both units, as money", () => {
    const { text, choices } = describePriceUnitQuestion(QUESTION);

    const lines = text.tr.split("\n").map((line) => line.trim());
    expect(lines[1]).toBe("Mağaza P-17 için 1000 gösteriyor: bu 1.000,00 TL mi, 10,00 TL mi?");
    expect(lines[2]).toBe("Mağaza P-18 için 24.5 gösteriyor: bu 24,50 TL mi, 0,25 TL mi?");
    expect(text.en).toContain("is that 1,000.00 TL or 10.00 TL?");
    expect(choices.map(({ unit, label }) => `${unit} ${label.tr}`)).toEqual([
      "unknown Bilmiyorum; fiyatı değişecek satırlar beklesin",
      "major Lira: ilk ürün 1.000,00 TL",
      "minor Kuruş: ilk ürün 10,00 TL",
    ]);
  });

  it("becomes a warning with the sheet's suggestion and the flags when it cannot be asked", () => {
    const [warning] = warnOfPriceUnit({ rows: 40, facts: { priceUnitQuestion: QUESTION } });

    expect(warning?.code).toBe("W_PRICE_UNIT_UNKNOWN");
    expect(warning?.message.tr).toContain("40 satır");
    expect(warning?.message.tr).toContain("dosyadaki 36 fiyat");
    expect(warning?.message.en).toContain("confirm it with --price-unit major");
    expect(warnOfPriceUnit({ rows: 0, facts: { priceUnitQuestion: QUESTION } })).toEqual([]);
  });
});

it("says that a pattern for the titles of variants was not used", () => {
  const mapper = { propertyColumns: new Set<number>(), variantTitle: "{title} {options}" };
  const facts = { joined: undefined, mapping: { columns: [] }, mapper };

  expect(toVariantNotes(facts)).toEqual([]);
  const [note] = toVariantNotes({ ...facts, isTitleGiven: true });
  expect(note?.en).toContain("--variant-title was not used");
});
