import { describe, expect, it } from "vitest";

import { openSheet } from "../../../src/index.ts";
import { parseRelationships, parseWorkbook } from "../../../src/xlsx/read/workbook-parts.ts";
import { fileOf } from "../../helpers/files.ts";
import { SMALL_ROWS, textCell, workbookParts, zipOf } from "../../helpers/workbooks.ts";

const RELATIONSHIP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

it("parseWorkbook reads name, position, state and part of each sheet", () => {
  const workbook =
    `<x:workbook xmlns:x="a"><x:sheets><x:sheet name="A &amp; &#304;" sheetId="4" r:id="b"/>` +
    `<x:sheet name='Gizli' sheetId="2" state="veryHidden" ns1:id="a"/>` +
    `<x:sheet name="Grafik" sheetId="3" r:id="c"/></x:sheets></x:workbook>`;
  const relationships =
    `<Relationships><Relationship Id="a" Type="${RELATIONSHIP}/worksheet" Target="/xl/worksheets/s1.xml"/>` +
    `<Relationship Target="worksheets/s2.xml" Id="b" Type="${RELATIONSHIP}/worksheet"></Relationship>` +
    `<Relationship Id="c" Type="${RELATIONSHIP}/chartsheet" Target="chartsheets/s3.xml"/></Relationships>`;

  expect(
    parseWorkbook(workbook, "xl/workbook.xml", parseRelationships(relationships, "xl/workbook.xml"))
      .sheets,
  ).toEqual([
    { name: "A & İ", position: 1, isVisible: true, part: "xl/worksheets/s2.xml" },
    { name: "Gizli", position: 2, isVisible: false, part: "xl/worksheets/s1.xml" },
    { name: "Grafik", position: 3, isVisible: true, part: undefined },
  ]);
});

const line = (row: number, name: string, value: string): string =>
  `<row r="${row}">${textCell(`A${row}`, name)}${textCell(`B${row}`, value)}</row>`;

/** The meta lines of a workbook with these rows in its sheet `_meta`, and its number of rows. */
async function read(rows: string) {
  const sheets = [
    { name: "Ürünler", rows: SMALL_ROWS },
    { name: "_meta", rows, state: "veryHidden" },
  ];
  await using sheet = await openSheet({ path: fileOf("a.xlsx", zipOf(workbookParts(sheets))) });
  const { length } = await Array.fromAsync(sheet.rows());
  return { rows: length, meta: sheet.meta && [...sheet.meta] };
}

describe("the sheet _meta", () => {
  it("is returned along with the rows of another sheet", async () => {
    const rows = line(1, "version", "1") + line(2, "store", "s-1");

    expect(await read(rows)).toEqual({
      rows: 1,
      meta: [
        ["version", "1"],
        ["store", "s-1"],
      ],
    });
  });

  it("is returned only up to its line limit", async () => {
    const rows = Array.from({ length: 500 }, (_, index) => line(index + 1, `n${index}`, "x"));

    const { meta } = await read(rows.join(""));

    expect(meta).toHaveLength(50);
    expect(meta?.at(-1)).toEqual(["n49", "x"]);
  });

  it.each([
    ["is no XML", '<row r="1"><c'],
    ["has more than a name and a value", `<row r="1">${textCell("C1", "x")}</row>`],
    ["has a long text", line(1, "version", "x".repeat(1_001))],
  ] as const)("loses no row of the other sheet when it %s", async (what, rows) => {
    expect(await read(rows)).toEqual({ rows: 1, meta: undefined });
  });

  it("is undefined where the workbook has none", async () => {
    const parts = workbookParts([{ name: "Ürünler", rows: SMALL_ROWS }]);

    await using sheet = await openSheet({ path: fileOf("a.xlsx", zipOf(parts)) });

    expect(sheet.meta).toBeUndefined();
  });
});
