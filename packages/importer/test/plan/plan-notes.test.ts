import type { PriceSamples } from "@catalog/mapping";
import { expect, it } from "vitest";

import { toPlanNotes } from "../../src/plan/plan-notes.ts";

const cell = (
  text: string,
  isNumberCell: boolean,
  minor: number,
): PriceSamples["samples"][number] => ({
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
