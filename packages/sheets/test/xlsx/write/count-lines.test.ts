import { describe, expect, it } from "vitest";

import { countLines } from "../../../src/xlsx/write/worksheet.ts";

const ADVICE = "Tam yolunu yazın, örneğin: “Ev & Yaşam > Mutfak > Sofra > Aksesuar”, “Ev & Yaşam”.";

describe("countLines", () => {
  // As LibreOffice breaks them with DejaVu Sans, which it takes where Calibri is missing.
  const measured: readonly (readonly [text: string, width: number, lines: number])[] = [
    ["", 10, 1],
    ["kısa", 10, 1],
    ["iki\nsatır", 40, 2],
    ["The discount is given in two ways: by a list price and by a discount value.", 38, 2],
    ["İndirim iki ayrı yoldan verilmiş: hem piyasa fiyatı hem indirim değeri dolu.", 38, 2],
    ["Bu ürün kodu dosyada birden çok satırda geçiyor (satırlar: 18, 19).", 38, 2],
    ["“Başlık *” is empty, and a new product needs it.", 60, 1],
    [ADVICE, 52, 2],
    ["word ".repeat(12).trimEnd(), 12, 6],
  ];
  for (const [text, width, lines] of measured) {
    it(`counts ${lines} in ${width} characters: ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(countLines(text, width)).toBe(lines);
    });
  }

  it("gives wide letters more room than narrow ones", () => {
    expect(countLines("MWMW ".repeat(10), 20)).toBeGreaterThan(countLines("ilil ".repeat(10), 20));
  });

  it("breaks a word that is longer than a line, and never takes less than its letters need", () => {
    expect(countLines("0".repeat(100), 20)).toBeGreaterThanOrEqual(6);
    expect(countLines(`ek ${"0".repeat(30)}`, 20)).toBe(3);
  });

  it("counts the signs of East Asia as twice as wide as digits", () => {
    expect(countLines("商品".repeat(10), 25)).toBe(2);
  });
});
