import { UsageError } from "@catalog/console";
import { describe, expect, it } from "vitest";

import { namesRow, parseRowRanges } from "../src/row-ranges.ts";

const ROWS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

describe("parseRowRanges", () => {
  it.each([
    ["3", [3]],
    ["3,7-9", [3, 7, 8, 9]],
    [" 1 , 9 - 10 ", [1, 9, 10]],
    ["4-4,4", [4]],
  ])("reads %s", (text, expected) => {
    expect(ROWS.filter(namesRow(parseRowRanges(text)))).toEqual(expected);
  });

  it("accepts every row when none is named", () => {
    expect(ROWS.filter(namesRow(undefined))).toEqual(ROWS);
  });

  it("reads rows of a sheet where a file has several", () => {
    const sheets = [
      { name: "Yaz", rowsBefore: 0 },
      { name: "Kış, 2", rowsBefore: 2_000 },
    ];

    const named = [3, 2_007, 2_008, 2_009];

    const isNamed = namesRow(parseRowRanges("3,'Kış, 2'!7-9", { sheets }));

    expect([...named, 2_003, 2_006, 2_010].filter(isNamed)).toEqual(named);
  });

  it.each(["", "a", "3-", "-3", "9-3", "0", "3;4", "1.5"])("refuses %j", (text) => {
    expect(() => parseRowRanges(text)).toThrow(UsageError);
  });
});
