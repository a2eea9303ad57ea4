import { describe, expect, it } from "vitest";

import { readNumberText, readShape } from "../../src/values/numbers.ts";

describe("readShape", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["1299", "plain"],
    ["1.299,90", "comma"],
    ["1299,9", "comma"],
    ["1.299.900", "comma"],
    ["1,299.90", "point"],
    ["1299.9", "point"],
    ["1,299,900", "point"],
    ["0.125", "point"],
    ["1.2345", "point"],
    ["1.234", "ambiguous"],
    ["999,000", "ambiguous"],
    ["1 299", "plain"],
    ["1\u202f299,90", "comma"],
    ["1\u00a0299.90", "point"],
    ["1\u2009299.900", "point"],
    ["12 99", undefined],
    ["1.29,90", undefined],
    ["1.299,90,1", undefined],
    ["1.234.56", undefined],
    [",50", undefined],
    ["5.", undefined],
    ["1E+3", undefined],
    ["1e3", undefined],
    ["0x10", undefined],
    ["١٢", undefined],
    ["", undefined],
  ];
  for (const [text, shape] of cases) {
    it(`finds ${String(shape)} in ${JSON.stringify(text)}`, () =>
      expect(readShape(text)).toBe(shape));
  }
});

const read = (text: string, decimal: "comma" | "point" | undefined, isMixed = false): string => {
  const reading = readNumberText(text, { decimal, isMixed });
  return reading.ok ? reading.value.amount.toFixed() : reading.problem.text;
};

describe("readNumberText", () => {
  it("reads an ambiguous number by its column", () => {
    expect(read("1.234", "comma")).toBe("1234");
    expect(read("1.234", "point")).toBe("1.234");
    expect(read("1.234", undefined)).toBe("E_NUMBER_AMBIGUOUS");
  });

  it("refuses an ambiguous number in a column with both notations", () => {
    expect(read("1.234", "comma", true)).toBe("E_NUMBER_AMBIGUOUS");
  });

  it("refuses a number that contradicts its column", () => {
    expect(read("1,299.90", "comma", true)).toBe("E_NUMBER_MIXED");
    expect(read("1.299,90", "comma", true)).toBe("1299.9");
    expect(read("1.299,90", undefined, true)).toBe("E_NUMBER_MIXED");
  });

  it("reads an unambiguous number where the column gives no evidence", () => {
    expect(read("1.299,90", undefined)).toBe("1299.9");
  });

  it("reads both minus signs", () => {
    expect(read("-5", undefined)).toBe("-5");
    expect(read("\u22125", undefined)).toBe("-5");
  });
});
