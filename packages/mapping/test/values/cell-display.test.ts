import { describe, expect, it } from "vitest";

import { createCellDisplays } from "../../src/values/shown-cells.ts";

const displays = createCellDisplays();

const shownOf = (value: number | string, code: string): string | undefined => {
  const display = displays.displayOf(value, code);
  return display === "unknown" ? display : display?.shown.en;
};

/** Compared with what LibreOffice 7.4 writes for such cells to a CSV file. */
const SHOWN: readonly (readonly [code: string, value: number, shown: string])[] = [
  ["#,##0.00", 1299.6347, "1,299.63"],
  ["0.00", 1.1, "1.10"],
  ["0.00", 19.989_999_999_999_998, "19.99"],
  ["[$$-409]#,##0.00", 12.5, "$12.50"],
  ["[$€-2]\\ #,##0.00", 12.5, "€ 12.50"],
  ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', 12.5, "$12.50"],
  ['_-* #,##0.00\\ "₺"_-', 12.5, "12.50 ₺"],
  ["#,##0.00\\ [$₺-41F]", 12.5, "12.50 ₺"],
  ["[$-41F]#,##0.00", 1212.5, "1,212.50"],
  ["[$₺-tr-TR]#,##0.00", 1299.9, "₺1,299.90"],
  ["_-[$₺-tr-TR]* #,##0.00_-", 1299.9, "₺1,299.90"],
  ["[$-tr-TR,1]0000000", 4711, "0004711"],
  ["#,##0.00\\ [$USD]", 12.5, "12.50 USD"],
  ["0.00 TL", 5, "5.00 TL"],
  ["£#,##0.00", 5, "£5.00"],
  ["0%", 0.15, "15%"],
  ["%0", 0.15, "%15"],
  ['0"%"', 15, "15%"],
  ["0.00%", 0.1234, "12.34%"],
  ['"TR"0000', 12, "TR0012"],
  ["000 000 000", 1_234_567, "001 234 567"],
  ['000"."000', 12_345, "012.345"],
  ["0000-000", 12_345, "0012-345"],
  ["(000) 000-0000", 5_551_234_567, "(555) 123-4567"],
  ["0,", 12_345, "12"],
  ['0.0,,"M"', 1_234_567, "1.2M"],
  ["# ?/?", 2.5, "2 1/2"],
  ["0.00E+00", 8_690_123_456_789, "8.69E+12"],
  ['[>100]0.00;"az"', 50, "az"],
  ['[=1]"Evet";[=0]"Hayır"', 0, "Hayır"],
  [";;;", 5, ""],
  ["0;;", 0, ""],
  ["00000;-00000", 12, "00012"],
  ["[Red]0.00", 5, "5.00"],
  ["#,##0", 1299.6, "1,300"],
  ["0*x", 5, "unknown"],
  ['General" TL"', 12.5, "12.5 TL"],
];

describe("the display of a cell", () => {
  it.each(SHOWN)("in format %s, holding %d, is %s", (code, value, shown) => {
    expect(shownOf(value, code)).toBe(shown);
  });

  it("uses the signs of either notation", () => {
    expect(displays.displayOf(1299.9, '#,##0.00 "TL"')).toMatchObject({
      shown: { tr: "1.299,90 TL", en: "1,299.90 TL" },
    });
  });

  it("distinguishes a point in quotes from the decimal sign", () => {
    expect(displays.displayOf(12_345, '000"."000')).toMatchObject({ number: undefined });
    expect(displays.displayOf(12.345, "00.000")).toMatchObject({ number: { digits: "12.345" } });
  });

  it.each(["General", "general", "GENERAL", "@"])("equals the number in format %s", (code) => {
    expect(displays.displayOf(8_690_123_456_789, code)).toBeUndefined();
  });

  it.each(["#,##0.00 USD", "0.00 EUR", "YTL 0.00"])(
    "has a currency that stands without quotes: %s",
    (code) => {
      expect(shownOf(5, code)).toMatch(/^(?:5\.00 (?:USD|EUR)|YTL 5\.00)$/u);
    },
  );

  it.each(["0.00 zloty ymd", "__proto__", "constructor", '0"', `0"${"x".repeat(300)}"`])(
    "is unknown for an invalid format: %s",
    (code) => {
      expect(shownOf(5, code)).toBe("unknown");
    },
  );

  it("includes the text that a format adds to a text", () => {
    expect(shownOf("0012", '"TR-"@')).toBe("TR-0012");
    expect(shownOf("0012", '0;0;0;"gizli"')).toBe("gizli");
  });
});

describe("isExact", () => {
  const cases = [
    ["0.00", 349.9, true],
    ["#,##0.00", 1299.63, true],
    ["#,##0.00", 1299.6347, false],
    ["#,##0", 1299.6, false],
    ["0", 25, true],
    ["0%", 1, false],
    ['0" adet"', 1, false],
    ["00000", 12, false],
  ] as const;
  it.each(cases)("in format %s, holding %d, is %s", (code, value, isExact) => {
    expect(displays.isExact(value, code)).toBe(isExact);
  });
});
