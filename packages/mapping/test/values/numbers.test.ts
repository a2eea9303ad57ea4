import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { CellValue } from "../../src/source-row.ts";
import {
  parseStock,
  parseWholeNumber,
  readNumberText,
  readShape,
} from "../../src/values/numbers.ts";
import { casesOf } from "../helpers/cases-of.ts";

describe("readShape", () => {
  const cases = casesOf({
    plain: "1299|1 299",
    comma: "1.299,90|1299,9|1.299.900|1\u202f299,90",
    point: "1,299.90|1299.9|1,299,900|0.125|1.2345|1\u00a0299.90|1\u2009299.900",
    ambiguous: "1.234|999,000",
    undefined: "12 99|1.29,90|1.299,90,1|1.234.56|,50|5.|1E+3|1e3|0x10|١٢|",
  });
  for (const [text, shape] of cases) {
    it(`finds ${shape} in ${JSON.stringify(text)}`, () =>
      expect(String(readShape(text))).toBe(shape));
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

const cases: readonly (readonly [CellValue, number | string])[] = [
  [0, 0],
  [12, 12],
  ["12", 12],
  [" 1 200 ", 1200],
  ["0", 0],
  [12.5, "E_NOT_INTEGER"],
  ["12,0", 12],
  ["15.0", 15],
  ["3.00", 3],
  ["1e2", 100],
  ["1e+05", 100_000],
  ["1E2", "E_NOT_A_NUMBER.count"],
  ["1.2e2", "E_NOT_A_NUMBER.count"],
  ["Tükendi", 0],
  ["STOKTA YOK", 0],
  ["Out of stock", 0],
  ["Var", "E_NOT_A_NUMBER.some"],
  ["Stokta", "E_NOT_A_NUMBER.some"],
  ["10+", "E_NOT_A_NUMBER.some"],
  [">100", "E_NOT_A_NUMBER.some"],
  ["35,00", 35],
  ["1.250,00", 1250],
  ["-0,00", 0],
  ["35,01", "E_NOT_INTEGER"],
  ["12.50", "E_NOT_INTEGER"],
  ["12.000", "E_NUMBER_AMBIGUOUS"],
  ["12.0000", 12],
  ["12.5000", "E_NOT_INTEGER"],
  [-1, "E_STOCK_NEGATIVE"],
  ["-1", "E_STOCK_NEGATIVE"],
  ["8690000123452", "E_NUMBER_TOO_LARGE.stock"],
  [8_690_000_123_452, "E_NUMBER_TOO_LARGE.stock"],
  ["8690000123456", "E_NUMBER_TOO_LARGE.stock"],
  ["999999999999", 999_999_999_999],
  ["999999999", 999_999_999],
  ["12 adet", 12],
  ["20 pcs.", 20],
  ["1 Tane", 1],
  ["yok", 0],
  ["12 koli", "E_NOT_A_NUMBER.count"],
  ["1e3", 1000],
  [true, "E_NOT_A_NUMBER.count"],
  [Number.POSITIVE_INFINITY, "E_NOT_A_NUMBER.count"],
  ["9007199254740993", "E_NUMBER_TOO_LARGE"],
];
for (const [value, expected] of cases) {
  it(`reads ${JSON.stringify(value)} as ${expected}`, () => {
    const reading = parseStock(value);

    expect(reading.ok ? reading.value : reading.problem.text).toBe(expected);
  });
}

it("reads a count with three zeros as decimals once the column's sign is known", () => {
  expect(parseStock("36,000")).toMatchObject({ problem: { text: "E_NUMBER_AMBIGUOUS" } });
  expect(parseStock("36,000", { decimal: "comma", isMixed: false })).toEqual({
    ok: true,
    value: 36,
  });
  expect(parseStock("36,500", { decimal: "comma", isMixed: false })).toMatchObject({
    problem: { text: "E_NOT_INTEGER" },
  });
});

it("reads a grouped count by the notation of its column", () => {
  expect(parseStock("12.000", { decimal: "comma", isMixed: false })).toEqual({
    ok: true,
    value: 12000,
  });
});

it("reads negative counts as it reads positive ones", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{1,17}$/u), (digits) => {
      const [above, below] = [parseWholeNumber(digits), parseWholeNumber(`-${digits}`)];

      expect(above.ok ? above.value : above.problem).toEqual(
        below.ok ? 0 - below.value : below.problem,
      );
    }),
  );
});
