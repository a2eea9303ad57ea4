import { describe, expect, it } from "vitest";

import { warnOfPriceUnit, describePriceUnitQuestion } from "../../src/plan/plan-notes.ts";

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
