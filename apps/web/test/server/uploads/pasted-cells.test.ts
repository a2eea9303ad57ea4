import { expect, it } from "vitest";

import { parsePasted, toCsv } from "../../../src/server/uploads.ts";

it.each([
  [
    "a\tb\r\n1\t2\r\n",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "a\tb\n1\t",
    [
      ["a", "b"],
      ["1", ""],
    ],
  ],
  ['a\t"x\ny"\t"say ""hi"""\n', [["a", "x\ny", 'say "hi"']]],
  ['5" boru\t"\n', [['5" boru', '"']]],
  ['"a" b\tc', [['"a" b', "c"]]],
  ["\uFEFFKod\n\nA1\n\n\n", [["Kod"], [""], ["A1"]]],
  ["", []],
])("reads the pasted cells of %j", (text, rows) => {
  expect(parsePasted(text)).toEqual(rows);
});

it("writes them as CSV that any cell survives", () => {
  expect(toCsv('Kod\tAd\nA1\t"5"" boru, \nince"')).toBe(
    '\uFEFF"Kod"\t"Ad"\r\n"A1"\t"5"" boru, \nince"\r\n',
  );
});

it("reads cells that begin with a quote in linear time", () => {
  const cells = Array.from({ length: 200_000 }, () => '"""x').join("\t");

  expect(parsePasted(cells)[0]).toHaveLength(200_000);
});
