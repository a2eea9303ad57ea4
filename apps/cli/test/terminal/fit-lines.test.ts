import { describe, expect, it } from "vitest";

import { fitLines } from "../../src/terminal/fit-lines.ts";

describe("fitLines", () => {
  it("wraps a sentence between words, indented behind its mark", () => {
    const text = "! Eksik ayar: anahtar ve gizli anahtar verilmedi.\n";

    expect(fitLines(text, 24)).toBe("! Eksik ayar: anahtar ve\n  gizli anahtar\n  verilmedi.\n");
  });

  it("leaves short lines unchanged, and words that are longer than the screen", () => {
    const path = `/tmp/${"a".repeat(90)}/failed.xlsx`;

    expect(fitLines(`kısa\n\n${path}\n`, 80)).toBe(`kısa\n\n${path}\n`);
  });

  it("keeps the command at the end in one piece", () => {
    const command = `catalog import ${"/klasör".repeat(12)}/failed.xlsx`;

    expect(fitLines(`Düzeltip yeniden yükleyin: ${command}\n`, 80)).toBe(
      `Düzeltip yeniden yükleyin:\n  ${command}\n`,
    );
  });

  it.each([
    [60, 28],
    [50, 4],
  ])(
    "indents the entries of a list at %d columns, so that each begins alone",
    (columns, indent) => {
      const id = "a814a025e74f6952b1a2b0b7";
      const list = `Kimliğini verin:\n  ${id}  Ev Aletleri > Mutfak Aletleri > Aksesuar\n`;

      const [, first, second] = fitLines(list, columns).split("\n");

      expect(first).toContain(`  ${id}  Ev Aletleri >`);
      expect(second).toMatch(new RegExp(`^ {${String(indent)}}\\S`, "u"));
    },
  );

  it("does not count the color codes of a line", () => {
    const line = `\u001b[31m${"a".repeat(10)} b\u001b[39m`;

    expect(fitLines(line, 12)).toBe(line);
  });

  it("loses no word, and makes no line longer than the screen", () => {
    const text = "Şu ürünün fiyatı, bir önceki içe aktarmada gönderilenden çok farklı: İnceleyin.";

    for (let columns = 16; columns < text.length; columns += 1) {
      const lines = fitLines(text, columns).split("\n");

      expect(lines.join(" ")).toBe(text);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });
});
