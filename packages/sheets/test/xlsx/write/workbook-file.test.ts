import { describe, expect, it } from "vitest";

import { assertSheetName, escapeXlsxText } from "../../../src/xlsx/write/worksheet.ts";
import { toWritableCell } from "../../../src/xlsx/write/write-template.ts";

describe("escapeXlsxText", () => {
  const cases = [
    ["Kaşık 12", "Kaşık 12"],
    ["satır\nsonu\tve sekme", "satır\nsonu\tve sekme"],
    ["a\rb", "a_x000D_b"],
    ["\u0000\u0001\u007f", "_x0000__x0001_\u007f"],
    ["_x0041_", "_x005F_x0041_"],
    ["_x004_ _y0041_", "_x004_ _y0041_"],
    ["\ud800", "\ufffd"],
  ] as const;
  for (const [text, escaped] of cases) {
    it(`writes ${JSON.stringify(text)} as ${JSON.stringify(escaped)}`, () => {
      expect(escapeXlsxText(text)).toBe(escaped);
    });
  }
});

describe("toWritableCell", () => {
  const sneaky: unknown = { formula: "1+1" };
  const cases = [
    ["an empty text as an empty cell", "", null],
    ["a number", -1.5, -1.5],
    ["NaN as text", Number.NaN, "NaN"],
    ["a truth value", false, false],
    ["a text at Excel's limit", "x".repeat(32_767), "x".repeat(32_767)],
    ["a text with escapes as rich text", "a\r", { richText: [{ text: "a_x000D_" }] }],
    ["a DEL, which the library would drop", "\u007f", { richText: [{ text: "_x007F_" }] }],
    ["a text cut before a surrogate pair", `${"x".repeat(32_765)}😍😍`, `${"x".repeat(32_765)}…`],
    ["a longer text cut", "x".repeat(32_768), `${"x".repeat(32_766)}…`],
  ] as const;
  for (const [what, value, written] of cases) {
    it(`writes ${what}`, () => {
      expect(toWritableCell(value)).toEqual(written);
    });
  }

  it("turns an object, which the library would take for a formula, into text", () => {
    // @ts-expect-error -- answers of an API may hold anything
    expect(toWritableCell(sneaky)).toBe("[object Object]");
  });
});

describe("assertSheetName", () => {
  for (const name of ["", "a/b", "a:b", "[a]", "'a", "x".repeat(32)]) {
    it(`refuses ${JSON.stringify(name)}`, () => {
      expect(() => assertSheetName(name)).toThrow(RangeError);
    });
  }

  it("accepts the names that Excel accepts", () => {
    expect(() => assertSheetName("Ürünler (1) 'a' b")).not.toThrow();
  });
});
