import { expect, it } from "vitest";

import { parseProductCode } from "../../src/product-codes.ts";
import type { CellTrait, CellValue } from "../../src/source-row.ts";

const cases: readonly (readonly [CellValue, CellTrait | undefined, string])[] = [
  ["00123", undefined, "00123"],
  ["\ufeff A 1\u00a0", undefined, "A 1"],
  [8690000000000, undefined, "8690000000000"],
  [0, undefined, "0"],
  ["12E4", undefined, "12E4"],
  [1e15, undefined, "E_CODE_NOT_TEXT"],
  [1.5, undefined, "E_CODE_NOT_TEXT"],
  [-5, undefined, "E_CODE_NOT_TEXT"],
  ["8,69E+12", undefined, "E_CODE_NOT_TEXT"],
  ["1.23457E+12", undefined, "E_CODE_NOT_TEXT"],
  [44927, "date", "E_CODE_NOT_TEXT"],
  ["1-2", "date", "E_CODE_NOT_TEXT"],
  [true, undefined, "E_CODE_NOT_TEXT"],
];
for (const [value, trait, expected] of cases) {
  it(`reads ${JSON.stringify(value)} ${trait ?? ""} as ${expected}`, () => {
    const reading = parseProductCode(value, trait);

    expect(reading.ok ? reading.value : reading.problem.text).toBe(expected);
  });
}
