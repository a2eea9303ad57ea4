import { expect, it } from "vitest";

import { cellAddress, isErrorText } from "../src/source-row.ts";

it.each<readonly [number, number, string]>([
  [0, 1, "A1"],
  [5, 12, "F12"],
  [25, 3, "Z3"],
  [26, 3, "AA3"],
  [701, 3, "ZZ3"],
  [702, 1_048_576, "AAA1048576"],
])("names column %s of row %s %s", (column, row, address) => {
  expect(cellAddress(column, row)).toBe(address);
});

it("recognises the error texts of spreadsheet programs, and no other text", () => {
  const errors = ["#N/A", "#REF!", "#AD?", "#ERROR!", "#SPILL!", "#TAŞMA!", "##", "########"];
  const others = ["#", "#1002", "#KAMPANYA!", "Error", "Err:", "Err:5021", "# not"];

  expect([...errors, "Err:502"].filter((text) => !isErrorText(text))).toEqual([]);
  expect(others.filter((text) => isErrorText(text))).toEqual([]);
});
