import { describe, expect, it } from "vitest";

import { hasCellContent, type MarkedCell, scanSheet } from "../../src/xlsx/sheet-scan.ts";
import { refusal } from "../helpers/files.ts";

const OPTIONS = { file: "a.xlsx", maxRows: 2, maxColumns: 28 };

const scan = (
  xml: string,
): readonly (readonly [number, readonly (readonly [number, MarkedCell])[]])[] =>
  [...scanSheet(xml, OPTIONS)].map(([row, cells]) => [row, [...cells]]);

const row = (r: number, cell: string): string => `<row r="${r}"><c r="A${r}"${cell}</row>`;

describe("scanSheet", () => {
  it("marks errors and formulas by row and index", () => {
    const xml =
      '<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="e"><v>#N/A</v></c></row>' +
      '<row r="7"><c r="A7"><f>1+1</f><v>2</v></c><c r="AA7"><f t="shared" si="0"/></c>' +
      "<c r='AB7' t='e'><f>1/0</f><v>#DIV/0!</v></c></row>";

    expect(scan(xml)).toEqual([
      [2, [[1, { trait: "error", error: "#N/A" }]]],
      [
        7,
        [
          [0, { trait: "formula" }],
          [26, { trait: "formula" }],
          [27, { trait: "error", error: "#DIV/0!" }],
        ],
      ],
    ]);
  });

  it("reads names with a prefix", () => {
    const xml = '<x:row r="1"><x:c r="A1"><x:f>1</x:f></x:c></x:row>';

    expect(scan(xml)).toEqual([[1, [[0, { trait: "formula" }]]]]);
  });

  it("does not mark what only looks alike", () => {
    const xml =
      '<cols><col min="1"/></cols><row r="1"><c r="A1" s="1" t="str"><v>t="e"</v></c>' +
      '<c r="B1" t="inlineStr"><is><t>f</t></is></c></row><conditionalFormatting><cfRule/></conditionalFormatting>';

    expect(scan(xml)).toEqual([]);
  });

  it("counts rows with something in them and no others", async () => {
    const filled = ["><v>1</v></c>", "><v>1</v></c>"]
      .map((cell, index) => row(index + 1, cell))
      .join("");
    const empty = row(3, ' s="1"/>') + row(4, ' s="1"/>');

    expect(scan(filled + empty)).toEqual([]);
    expect(await refusal(Promise.try(() => scan(filled + row(3, "><v>1</v></c>"))))).toMatchObject({
      code: "E_TOO_MANY_ROWS",
    });
  });

  const refused = [
    ["a row number beyond Excel's", '<row r="4000000000"/>', "E_FILE_UNSAFE"],
    ["rows out of order", '<row r="2"/><row r="2"/>', "E_FILE_UNSAFE"],
    ["a column beyond Excel's", '<row r="1"><c r="ZZZZZZ1"><v>1</v></c></row>', "E_FILE_UNSAFE"],
    ["a cell of another row", '<row r="1"><c r="A2"><v>1</v></c></row>', "E_FILE_UNSAFE"],
    ["a column beyond the limit", '<row r="1"><c r="AC1"><v>1</v></c></row>', "E_TOO_MANY_COLUMNS"],
  ] as const;
  for (const [what, xml, code] of refused) {
    it(`refuses ${what}`, async () => {
      expect((await refusal(Promise.try(() => scan(xml)))).code).toBe(code);
    });
  }

  it("lets an empty cell stand anywhere", () => {
    expect(scan('<row r="1"><c r="XFD1" s="3"/></row>')).toEqual([]);
  });
});

describe("hasCellContent", () => {
  it("tells cells that only have a format from cells with a value", () => {
    expect(hasCellContent('<row r="1"><c r="A1" s="1"/><c r="B1"></c></row>')).toBe(false);
    expect(hasCellContent('<row r="1"><c r="A1"><v>1</v></c></row>')).toBe(true);
    expect(hasCellContent('<row r="1"><c r="A1" t="inlineStr"><is><t>x</t></is></c></row>')).toBe(
      true,
    );
  });
});
