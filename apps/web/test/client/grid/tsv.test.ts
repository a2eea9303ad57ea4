import { describe, expect, it } from "vitest";

import { formatTsv, parseTsv } from "../../../client/grid/blocks.ts";

describe("parseTsv", () => {
  const cases: readonly (readonly [string, readonly (readonly string[])[]])[] = [
    ["", []],
    ["a", [["a"]]],
    [
      "a\tb\r\nc\td\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a\t\n\tb",
      [
        ["a", ""],
        ["", "b"],
      ],
    ],
    ["\n", [[""]]],
    ['"a\nb"\tc', [["a\nb", "c"]]],
    ['"5"" ekran"', [['5" ekran']]],
    ['5" ekran', [['5" ekran']]],
    ['"never closed\tx', [["never closed\tx"]]],
  ];
  for (const [text, rows] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(parseTsv(text)).toEqual(rows);
    });
  }
});

describe("formatTsv", () => {
  it("is read back, whatever the cells hold", () => {
    const rows = [
      ["a\tb", 'c"d', ""],
      ["e\nf", "ç ğ ı", '"'],
    ];

    expect(parseTsv(formatTsv(rows))).toEqual(rows);
  });
});
