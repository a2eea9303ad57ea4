import { expect, it } from "vitest";

import {
  cellAddress,
  isErrorText,
  isIgnoredRow,
  type CellValue,
} from "../../src/rows/source-row.ts";

const addresses: readonly (readonly [number, number, string])[] = [
  [0, 1, "A1"],
  [5, 12, "F12"],
  [25, 3, "Z3"],
  [26, 3, "AA3"],
  [701, 3, "ZZ3"],
  [702, 1_048_576, "AAA1048576"],
];
for (const [column, row, address] of addresses) {
  it(`names column ${column} of row ${row} ${address}`, () => {
    expect(cellAddress(column, row)).toBe(address);
  });
}

const rows: readonly (readonly [string, readonly CellValue[], boolean])[] = [
  ["leaves out a row without cells", [], true],
  ["leaves out a row of blanks", [null, " ", "\u00a0"], true],
  ["leaves out a remark", ["# örnek", "1"], true],
  ["keeps a row whose first cell is a formula error", ["#N/A", "1"], false],
  ["keeps a row whose first cell was too narrow for its number", ["#####", "1"], false],
  ["leaves out a line of sharps", ["#####", "", null], true],
  ["keeps a row with a zero", [null, 0], false],
  ["keeps a row with a sharp elsewhere", ["K1", "#1"], false],
];
for (const [name, cells, expected] of rows) {
  it(name, () => expect(isIgnoredRow({ row: 2, cells })).toBe(expected));
}

it("recognises the error texts of spreadsheet programs, and no other text", () => {
  const errors = ["#N/A", "#REF!", "#AD?", "#ERROR!", "#SPILL!", "#TAŞMA!", "##", "########"];
  const others = ["#", "#1002", "#KAMPANYA!", "Error", "Err:", "Err:5021", "# not"];

  expect([...errors, "Err:502"].filter((text) => !isErrorText(text))).toEqual([]);
  expect(others.filter((text) => isErrorText(text))).toEqual([]);
});
