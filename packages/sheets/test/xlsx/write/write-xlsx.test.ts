import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { MAX_NOTES, writeXlsx, type XlsxSheet } from "../../../src/xlsx/write/write-xlsx.ts";
import { readAll, readCells, temporaryFolder } from "../../helpers/files.ts";
import { partOf } from "../../helpers/workbooks.ts";

const written = async (sheet: Partial<XlsxSheet>): Promise<string> => {
  const path = join(temporaryFolder(), "a.xlsx");
  const columns = [{ header: "A" }, { header: "B" }, { header: "C" }];
  await writeXlsx({ path, sheets: [{ name: "Sonuç", columns, rows: [], ...sheet }] });
  return path;
};

it("offers the choices of a column in each of its rows", async () => {
  const columns = [{ header: "A" }, { header: "Onay", choices: ["Evet", "Hayır"] }];
  const path = await written({ columns, rows: [["1"], ["2"]] });

  const sheet = partOf(path, "xl/worksheets/sheet1.xml");
  expect(sheet).toContain(
    '</sheetData><autoFilter ref="A1:B3"/><dataValidations count="1"><dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="B2:B3"><formula1>&quot;Evet,Hayır&quot;</formula1></dataValidation></dataValidations></worksheet>',
  );
  expect(await readCells(path)).toEqual([["1"], ["2"]]);
});

it("offers many words from a hidden sheet, and lets others be typed", async () => {
  const words = Array.from({ length: 90 }, (_, at) => `Marka, ${at}`);
  const columns = [{ header: "A" }, { header: "Marka", suggestions: async () => words }];
  const path = await written({ columns, rows: [["1", "Acme"]] });

  expect(partOf(path, "xl/worksheets/sheet1.xml")).toContain(
    `<dataValidation type="list" allowBlank="1" sqref="B2:B2"><formula1>'_listeler'!$A$2:$A$91</formula1></dataValidation>`,
  );
  expect(partOf(path, "xl/workbook.xml")).toContain(
    'name="_listeler" sheetId="2" state="veryHidden"',
  );
  expect(partOf(path, "xl/worksheets/sheet2.xml")).toContain("Marka, 89");
  expect(await readCells(path)).toEqual([["1", "Acme"]]);
});

it("offers words of single cells, the same words once", async () => {
  const brands = ["Acme", "Bosch, Siemens"];
  const rows = [
    { cells: ["1"], offers: { 1: brands } },
    { cells: ["2"], offers: { 1: brands } },
    { cells: ["3"], offers: { 1: ["Mutfak"] } },
    { cells: ["4"], offers: { 1: brands, 2: [] } },
  ];
  const path = await written({ rows });

  const sheet = partOf(path, "xl/worksheets/sheet1.xml");
  const offered = [...sheet.matchAll(/sqref="([^"]+)"><formula1>([^<]+)/gu)].map(
    ([, cells, list]) => `${cells} ${list}`,
  );
  expect(offered).toEqual(["B2:B3 B5:B5 '_listeler'!$A$2:$A$3", "B4:B4 '_listeler'!$A$4:$A$4"]);
  expect(partOf(path, "xl/worksheets/sheet2.xml")).toMatch(/A3".*Bosch, Siemens.*A4".*Mutfak/su);
});

it("freezes columns, measures those without a width, and raises rows with long texts", async () => {
  const columns = [{ header: "Kod" }, { header: "Neden", width: 20, wraps: true }];
  const rows = [
    ["x".repeat(30), "a ".repeat(40)],
    ["y".repeat(90), "kısa"],
  ];
  const path = await written({ columns, frozenColumns: 1, rows });

  const sheet = partOf(path, "xl/worksheets/sheet1.xml");
  expect(sheet).toContain('<pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight"');
  expect(sheet).toContain('<col min="1" max="1" width="40"');
  expect(sheet).toMatch(/<row r="2" ht="60"><.*<row r="3"></su);
  expect(partOf(path, "xl/styles.xml")).toContain('<alignment vertical="top" wrapText="1"/>');
});

it("makes columns wide enough for numbers as their formats show them", async () => {
  const columns = [{ header: "A" }, { header: "B" }, { header: "C" }];
  const formats = { 0: "#,##0.00", 1: '0.000" adet"' };
  const rows = [{ cells: [12_345_678, 1234.5, 12_345_678], formats }];

  const path = await written({ columns, rows });

  const sheet = partOf(path, "xl/worksheets/sheet1.xml");
  expect(sheet.match(/ width="\d+"/gu)).toEqual([' width="15"', ' width="15"', ' width="10"']);
});

it("continues a table that is too long for one sheet on further sheets with the same header", async () => {
  const path = join(temporaryFolder(), "a.xlsx");
  const rows = Array.from({ length: 7 }, (_, index) => ({
    cells: [`K-${index + 1}`],
    notes: { 0: `not ${index + 1}` },
  }));
  const columns = [{ header: "Kod" }];
  const name = "Otuz bir karakterlik sayfa adı.";

  const sheets = [
    { name, columns, rows },
    { name: "Alanlar", columns, rows: [["a"]] },
  ];
  await writeXlsx({ path, maxSheetRows: 4, sheets });

  const second = `${name.slice(0, 26)} (+1)`;
  const third = `${name.slice(0, 26)} (+2)`;
  for (const [sheet, cells] of [
    [name, [["K-1"], ["K-2"], ["K-3"]]],
    [second, [["K-4"], ["K-5"], ["K-6"]]],
    [third, [["K-7"]]],
    ["Alanlar", [["a"]]],
  ] as const) {
    const read = await readAll(path, { sheet });
    expect([read.sheet, read.header, read.rows.map((row) => row.cells)]).toEqual([
      sheet,
      ["Kod"],
      cells,
    ]);
  }
  expect(partOf(path, "xl/comments2.xml")).toContain('ref="A4"');
  expect(partOf(path, "xl/comments3.xml")).toContain("not 7");
});

it("fills a sheet to its last row without an empty sheet behind it", async () => {
  const path = join(temporaryFolder(), "a.xlsx");
  const sheet = { name: "Sonuç", columns: [{ header: "Kod" }], rows: [["1"], ["2"]] };
  await writeXlsx({ path, maxSheetRows: 3, sheets: [sheet] });

  expect(partOf(path, "xl/workbook.xml").match(/<sheet /gu)).toHaveLength(1);
});

it("writes the first notes of a sheet where there are too many", async () => {
  const rows = Array.from({ length: MAX_NOTES + 5 }, (_, index) => ({
    cells: [index],
    notes: { 0: "yanlış" },
    fills: { 0: "error" as const },
  }));

  const path = await written({ rows });

  const comments = partOf(path, "xl/comments1.xml");
  expect(comments.match(/<comment /gu)).toHaveLength(MAX_NOTES);
  expect(comments).not.toContain(`ref="A${MAX_NOTES + 2}"`);
});

it("offers no choices in a sheet without rows", async () => {
  const path = await written({ columns: [{ header: "Onay", choices: ["Evet"] }] });

  expect(partOf(path, "xl/worksheets/sheet1.xml")).not.toContain("dataValidation");
});

it.each([[["Evet, sonra"]], [['"Evet"']], [Array.from({ length: 60 }, () => "Evet")]])(
  "refuses choices that cannot form a list (%#)",
  async (choices) => {
    const columns = [{ header: "Onay", choices }];

    await expect(written({ columns, rows: [["1"]] })).rejects.toThrow(RangeError);
  },
);

it("gives the same bytes for the same content", async () => {
  const sheet = {
    rows: [{ cells: ["a", 1], notes: { 0: "Hata" }, fills: { 0: "error" } as const }],
  };

  const [one, two] = [await written(sheet), await written(sheet)];

  expect(readFileSync(one).equals(readFileSync(two))).toBe(true);
  // The first day that a zip can hold, and not today.
  expect(readFileSync(one).readUInt32LE(10)).toBe(0x00210000);
});

it("freezes and filters the header, and makes it bold", async () => {
  const path = await written({ rows: [["a"]] });

  const xml = partOf(path, "xl/worksheets/sheet1.xml");
  expect(xml).toContain('<pane ySplit="1" topLeftCell="A2"');
  expect(xml).toContain('<autoFilter ref="A1:C2"/>');
  expect(partOf(path, "xl/styles.xml")).toContain("<b/>");
});

it("adds notes and colours to their cells", async () => {
  const path = await written({
    rows: [["a", "b"], { cells: ["c", null], notes: { 1: "Fiyat eksik" }, fills: { 1: "error" } }],
  });

  const comments = partOf(path, "xl/comments1.xml");
  expect(comments).toContain('ref="B3"');
  expect(comments).toContain("Fiyat eksik");
  expect(partOf(path, "xl/worksheets/sheet1.xml")).toMatch(/<c r="B3" s="\d+"\/>/);
  expect(partOf(path, "xl/styles.xml")).toContain("FFFFC7CE");
});

it("adds notes only to their own sheet", async () => {
  const path = join(temporaryFolder(), "a.xlsx");
  const columns = [{ header: "A" }];
  const noted = [{ cells: ["y"], notes: { 0: 'Kod "007" <yok> _x0041_' } }];

  await writeXlsx({
    path,
    sheets: [
      { name: "Bir", columns, rows: [["x"]] },
      { name: "İki", columns, rows: noted },
    ],
  });

  expect(partOf(path, "xl/worksheets/sheet1.xml")).not.toContain("legacyDrawing");
  expect(partOf(path, "xl/worksheets/sheet2.xml")).toContain('<legacyDrawing r:id="rId1"/>');
  const relations = partOf(path, "xl/worksheets/_rels/sheet2.xml.rels");
  expect(relations).toMatch(/Id="rId1"[^>]*Target="\.\.\/drawings\/vmlDrawing2\.vml"/);
  expect(relations).toContain('Target="../comments2.xml"');
  expect(partOf(path, "xl/drawings/vmlDrawing2.vml")).toContain(
    "<x:Row>1</x:Row><x:Column>0</x:Column>",
  );
  expect(partOf(path, "xl/comments2.xml")).toContain("&lt;yok&gt; _x005F_x0041_");
  expect(partOf(path, "[Content_Types].xml")).toContain('PartName="/xl/comments2.xml"');
});

it("gives text columns and texts like formulas the text format", async () => {
  const columns = [{ header: "Kod", kind: "text" as const }, { header: "Ad" }];

  const path = await written({ columns, rows: [["1", "=x"]] });

  expect(partOf(path, "xl/styles.xml")).toMatch(/<xf numFmtId="49"/);
  const xml = partOf(path, "xl/worksheets/sheet1.xml");
  expect(xml).toMatch(/<col min="1" max="1" width="8" style="1"/);
  expect(xml).toMatch(/<c r="B2" s="1" t="inlineStr">/);
});

it("refuses a sheet name that Excel would not open, before writing", async () => {
  await expect(written({ name: "a/b" })).rejects.toThrow(RangeError);
});
