import { describe, expect, it } from "vitest";

import { listSheets, openSheet } from "../../src/index.ts";
import { readTables } from "../../src/ods/read-ods.ts";
import { scanXml } from "../../src/xlsx/read/xml-scanner.ts";
import { fileOf, readAll, readCells, refusal } from "../helpers/files.ts";
import { zipOf } from "../helpers/workbooks.ts";

const cellOf = (text: string, attributes = ""): string =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const plainTable = (cells: string): string =>
  `<table:table><table:table-column/><table:table-row>${cells}</table:table-row></table:table>`;
const TABLE_SPACES =
  'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"';

/** What the tables at these positions tell their handler. */
function read(tables: readonly string[], wanted: readonly number[]): readonly unknown[] {
  const seen: unknown[] = [];
  const handler = readTables({
    table: (_, position) => wanted.includes(position),
    columns: ({ first }) => seen.push(`column ${first}`),
    row: (_, number) => seen.push(`row ${number}`),
    cells: ({ column, text }) => seen.push(`${column} ${text}`),
    endRow: () => seen.push("end"),
  });
  scanXml(
    `<body ${TABLE_SPACES}>${tables.map((cells) => plainTable(cells)).join("")}</body>`,
    handler,
  );
  return seen;
}

it("passes over what stands in a table that is not wanted, broken or not", () => {
  const broken = cellOf("x", 'table:number-columns-repeated="-1"');
  const nested = cellOf(plainTable(cellOf("inner")));
  const tables = [broken, cellOf("a") + cellOf("b"), nested];

  expect(read(tables, [2])).toEqual(["column 1", "row 1", "1 a", "2 b", "end"]);
  expect(read(tables, [])).toEqual([]);
  expect(() => read(tables, [1])).toThrow("A cell repeats wrongly.");
});

it("passes over the rest of a table once its handler is full, but not over the next table", () => {
  const seen: unknown[] = [];
  let rows = 0;
  const handler = readTables({
    table: () => true,
    columns: () => {},
    row: (_, number) => seen.push(number),
    cells: ({ text }) => seen.push(text),
    endRow: () => (rows += 1),
    isFull: () => rows === 1,
  });
  const row = `<table:table-row>${cellOf("a")}</table:table-row>`;
  const table = `<table:table>${row}${row}</table:table>`;

  scanXml(`<body ${TABLE_SPACES}>${table}${table}</body>`, handler);

  expect(seen).toEqual([1, "a", 1, "a", 2, "a"]);
});

const SPACES = [
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"',
  'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"',
  'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"',
  'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"',
  'xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"',
  'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"',
].join(" ");

interface MadeOds {
  /** The content of the tables, by name. */
  readonly tables: Readonly<Record<string, string>>;
  /** Attributes of the tables. */
  readonly attributes?: string;
  readonly styles?: string;
  /** The styles of the other part. */
  readonly common?: string;
  readonly manifest?: string;
}

function odsOf({ tables, attributes = "", styles = "", common, manifest = "" }: MadeOds): Buffer {
  const listed = Object.entries(tables).map(
    ([name, rows]) => `<table:table table:name="${name}" ${attributes}>${rows}</table:table>`,
  );
  const content = `<office:document-content ${SPACES}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${listed.join("")}</office:spreadsheet></office:body></office:document-content>`;
  return zipOf([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.spreadsheet" },
    { name: "META-INF/manifest.xml", content: `<manifest>${manifest}</manifest>` },
    ...(common === undefined
      ? []
      : [
          {
            name: "styles.xml",
            content: `<office:document-styles ${SPACES}><office:styles>${common}</office:styles></office:document-styles>`,
          },
        ]),
    { name: "content.xml", content },
  ]);
}

it("is refused by its kind where it is a spreadsheet of OpenOffice 1", async () => {
  const content = `<!DOCTYPE office:document-content PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "office.dtd"><office:document-content/>`;
  const bytes = zipOf([
    { name: "mimetype", content: "application/vnd.sun.xml.calc" },
    { name: "content.xml", content },
  ]);

  expect(await refusal(readAll(fileOf("a.sxc", bytes)))).toMatchObject({
    code: "E_FILE_TYPE",
    details: { hint: "old-openoffice" },
  });
});

const row = (...cells: readonly string[]): string =>
  `<table:table-row>${cells.join("")}</table:table-row>`;
const textCell = (content: string): string =>
  `<table:table-cell office:value-type="string"><text:p>${content}</text:p></table:table-cell>`;
const HEADER = row(textCell("Kod"), textCell("Fiyat"), textCell("Stok"));

/** The cells below the header, of a file with these cells in row 2. */
const cellsOf = async (...cells: readonly string[]): Promise<unknown> =>
  (await readCells(fileOf("a.ods", odsOf({ tables: { S: HEADER + row(...cells) } }))))[0];

const calculated = (value: number, shown: string): string =>
  `<table:table-cell table:formula="of:=TRUE()" office:value-type="float" office:value="${value}"><text:p>${shown}</text:p></table:table-cell>`;

describe("an OpenDocument cell", () => {
  it.each(["frame", "rect", "ellipse", "line", "connector", "caption", "custom-shape"])(
    "does not include the text of a drawing: %s",
    async (shape) => {
      const drawing = `<draw:${shape}><text:p>Not</text:p></draw:${shape}>`;
      const cell = `<table:table-cell office:value-type="string">${drawing}<text:p>Tabak</text:p></table:table-cell>`;

      expect(await cellsOf(textCell("K1"), cell)).toEqual(["K1", "Tabak"]);
    },
  );

  it("is a truth value where a formula gave a number that is displayed as a word", async () => {
    const cells = [calculated(1, "DOĞRU"), calculated(0, "FALSE"), calculated(1, "1")];

    expect(await cellsOf(...cells)).toEqual([true, false, 1]);
  });

  it("keeps its value without a text", async () => {
    const cells = [
      '<table:table-cell office:value="99" office:value-type="float"/>',
      '<table:table-cell office:value-type="float" office:value="0.5"></table:table-cell>',
      '<table:table-cell office:value-type="currency" office:value="12.5"/>',
      '<table:table-cell office:value-type="percentage" office:value="0.15"/>',
      '<table:table-cell office:value-type="boolean" office:boolean-value="true"/>',
      '<table:table-cell office:value-type="date" office:date-value="2026-01-31"/>',
      '<table:table-cell office:value-type="string" office:string-value="a &amp; b"/>',
    ];

    expect(await cellsOf(textCell("1"), ...cells)).toEqual([
      "1",
      99,
      0.5,
      12.5,
      0.15,
      true,
      "2026-01-31",
      "a & b",
    ]);
  });

  it("is repeated as often as its attribute says", async () => {
    const repeated =
      '<table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="7"/>';

    expect(await cellsOf(textCell("1"), repeated)).toEqual(["1", 7, 7]);
  });

  it("keeps blanks that are elements, and no others", async () => {
    expect(
      await cellsOf(
        textCell(
          'a<text:s text:c="3"/>b<text:tab/>c<text:line-break/><text:span> d \n  e</text:span>',
        ),
        "<table:table-cell><text:p>bir</text:p><text:p>iki</text:p></table:table-cell>",
      ),
    ).toEqual(["a   b\tc\n d e", "bir\niki"]);
  });

  it("does not include the text of its notes", async () => {
    const noted =
      '<table:table-cell office:value-type="string"><office:annotation><text:p>not</text:p></office:annotation><text:p>b</text:p></table:table-cell>';

    expect(await cellsOf(textCell("1"), noted)).toEqual(["1", "b"]);
  });

  it("distinguishes errors, formulas and formulas without a result", async () => {
    const rows = row(
      '<table:table-cell table:formula="of:=1/0" office:value-type="string" office:string-value="" calcext:value-type="error"><text:p>#DIV/0!</text:p></table:table-cell>',
      '<table:table-cell table:formula="of:=1+1" office:value-type="float" office:value="2"/>',
      '<table:table-cell table:formula="of:=NOW()"/>',
      '<table:table-cell office:value-type="float" office:value="0"><text:p>Err:502</text:p></table:table-cell>',
    );

    expect((await readAll(fileOf("a.ods", odsOf({ tables: { S: HEADER + rows } })))).rows).toEqual([
      {
        row: 2,
        cells: ["#DIV/0!", 2, null, "Err:502"],
        traits: { 0: "error", 1: "formula", 2: "formula", 3: "error" },
      },
    ]);
  });
});

const STYLES =
  '<number:currency-style style:name="N1"><number:currency-symbol>$</number:currency-symbol><number:number number:decimal-places="2" number:min-integer-digits="1" number:grouping="true"/></number:currency-style>' +
  '<number:percentage-style style:name="N2"><number:number number:decimal-places="0" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>' +
  '<number:number-style style:name="N3"><number:text>TR</number:text><number:number number:decimal-places="0" number:min-integer-digits="4"/></number:number-style>' +
  '<number:number-style style:name="N4"><number:number number:decimal-places="0" number:min-integer-digits="7"><number:embedded-text number:position="3">-</number:embedded-text></number:number></number:number-style>' +
  '<number:number-style style:name="N5"><number:number number:min-integer-digits="1"/></number:number-style>' +
  '<number:number-style style:name="N6"><number:number number:decimal-places="0" number:min-integer-digits="5"/></number:number-style>' +
  '<number:number-style style:name="N7"><number:number number:decimal-places="0" number:min-integer-digits="1" number:display-factor="1000"/></number:number-style>' +
  '<number:number-style style:name="N8P0"><number:text>Evet</number:text></number:number-style>' +
  '<number:number-style style:name="N8"><number:text>Hayır</number:text><style:map style:condition="value()&gt;=1" style:apply-style-name="N8P0"/></number:number-style>' +
  '<number:text-style style:name="N9"><number:text>TR-</number:text><number:text-content/></number:text-style>' +
  [1, 2, 3, 4, 5, 6, 7, 8, 9]
    .map(
      (n) =>
        `<style:style style:name="ce${n}" style:family="table-cell" style:data-style-name="N${n}"/>`,
    )
    .join("") +
  '<style:style style:name="child" style:family="table-cell" style:parent-style-name="ce1"/>';

const styled = (style: string, value: number): string =>
  `<table:table-cell table:style-name="${style}" office:value-type="float" office:value="${value}"/>`;

/** The formats of each row below the header. */
const formatsOf = async (rows: string, common = false): Promise<unknown> => {
  const made = { tables: { S: rows }, ...(common ? { common: STYLES } : { styles: STYLES }) };
  return (await readAll(fileOf("a.ods", odsOf(made)))).rows.map(({ formats }) => formats);
};

describe("the number format of an OpenDocument cell", () => {
  it("displays the word of a truth value that a formula stored as a number", async () => {
    const logical =
      '<number:boolean-style style:name="N99"><number:boolean/></number:boolean-style>' +
      '<style:style style:name="yes" style:family="table-cell" style:data-style-name="N99"/>';
    const file = odsOf({ tables: { S: HEADER + row(styled("yes", 1)) }, styles: logical });

    const { rows } = await readAll(fileOf("a.ods", file));

    expect(rows.map(({ formats }) => formats)).toEqual([{ 0: '"TRUE";"TRUE";"FALSE"' }]);
  });

  it.each([false, true])("is that of its style", async (isCommon) => {
    const cells = ["ce1", "ce2", "ce3", "ce4", "ce5", "ce7", "ce8", "child"];

    expect(
      await formatsOf(HEADER + row(...cells.map((name) => styled(name, 12))), isCommon),
    ).toEqual([
      {
        0: "[$$]#,##0.00",
        1: "0%",
        2: '"TR"0000',
        3: '0000"-"000',
        5: "0,",
        6: '[>=1]"Evet";"Hayır"',
        7: "[$$]#,##0.00",
      },
    ]);
  });

  it("is that of its row, else of its column", async () => {
    const rows =
      '<table:table-column table:number-columns-repeated="2" table:default-cell-style-name="ce1"/>' +
      '<table:table-column table:default-cell-style-name="ce3"/>' +
      HEADER +
      row(
        '<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="3"/>',
      ) +
      '<table:table-row table:default-cell-style-name="ce2"><table:table-cell office:value-type="float" office:value="1"/></table:table-row>';

    expect(await formatsOf(rows)).toEqual([
      { 0: "[$$]#,##0.00", 1: "[$$]#,##0.00", 2: '"TR"0000' },
      { 0: "0%" },
    ]);
  });

  it("adds leading zeros to a code, and the text that stands before a text", async () => {
    const styledText =
      '<table:table-cell table:style-name="ce9" office:value-type="string"><text:p>12</text:p></table:table-cell>';
    const path = fileOf(
      "a.ods",
      odsOf({ tables: { S: HEADER + row(styled("ce6", 12), styledText) }, styles: STYLES }),
    );

    expect((await readAll(path)).rows).toEqual([
      { row: 2, cells: ["00012", "12"], formats: { 1: '"TR-"@' } },
    ]);
  });

  it("follows the type of a cell without a style", async () => {
    const rows = row(
      '<table:table-cell office:value-type="currency" office:currency="USD" office:value="12.5"/>',
      '<table:table-cell office:value-type="percentage" office:value="0.155"/>',
    );

    expect(await formatsOf(HEADER + rows)).toEqual([{ 0: 'General" USD"', 1: "0.0%" }]);
  });
});

describe("an OpenDocument table", () => {
  it("keeps row numbers over repeated rows, and repeats those with content", async () => {
    const rows =
      `<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>${HEADER}` +
      `<table:table-row table:number-rows-repeated="2">${textCell("a")}${textCell("b")}</table:table-row>` +
      '<table:table-row table:number-rows-repeated="1048570"><table:table-cell/></table:table-row>';

    expect((await readAll(fileOf("a.ods", odsOf({ tables: { S: rows } })))).rows).toEqual([
      { row: 5, cells: ["a", "b"] },
      { row: 6, cells: ["a", "b"] },
    ]);
  });

  it("reports merged cells and hidden rows and columns", async () => {
    const rows =
      '<table:table-column/><table:table-column table:visibility="collapse"/>' +
      HEADER +
      row(
        '<table:table-cell table:number-columns-spanned="2" table:number-rows-spanned="1"><text:p>a</text:p></table:table-cell>',
        "<table:covered-table-cell/>",
        textCell("c"),
      ) +
      `<table:table-row table:visibility="filter">${textCell("x")}${textCell("y")}</table:table-row>`;
    await using sheet = await openSheet({ path: fileOf("a.ods", odsOf({ tables: { S: rows } })) });

    expect(sheet.notices().map(({ code }) => code)).toEqual([
      "W_MERGED",
      "W_HIDDEN_ROWS",
      "W_HIDDEN_COLUMNS",
    ]);
  });

  it("is skipped where it is hidden", async () => {
    const styles =
      '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const made = odsOf({ tables: { S: HEADER }, styles, attributes: 'table:style-name="ta1"' });

    expect((await refusal(readAll(fileOf("a.ods", made)))).code).toBe("E_FILE_EMPTY");
  });

  const many = `<table:table-row table:number-rows-repeated="1048576">${textCell("a")}</table:table-row>`;
  const wide =
    '<table:table-cell table:number-columns-repeated="16384" office:value-type="float" office:value="1"/>';
  it.each([
    ["E_TOO_MANY_ROWS", { tables: { S: HEADER + many } }],
    ["E_TOO_MANY_COLUMNS", { tables: { S: HEADER + row(wide) } }],
    ["E_CELL_TOO_LONG", { tables: { S: HEADER + row(textCell('<text:s text:c="99999999"/>')) } }],
    ["E_CELL_VALUE", { tables: { S: HEADER + row(styled("", Number.NaN)) } }],
    ["E_XML", { tables: { S: `${HEADER}<table:table-row>` } }],
    ["E_XML", { tables: { S: row(`<table:table-cell table:number-columns-repeated="-1"/>`) } }],
    ["E_FILE_TYPE", { tables: { S: HEADER }, manifest: "<encryption-data/>" }],
  ] as const)("is refused with %s", async (code, made) => {
    const limits = { rows: 50_000 };

    expect((await refusal(readAll(fileOf("a.ods", odsOf(made)), { limits }))).code).toBe(code);
  });

  it("is refused where one long text is repeated in more cells than the disk should hold", async () => {
    const long = `<table:table-row table:number-rows-repeated="1000">${textCell("a".repeat(9_000))}</table:table-row>`;
    const path = fileOf("a.ods", odsOf({ tables: { S: HEADER + long } }));

    expect(await refusal(readAll(path, { limits: { unpackedMb: 4 } }))).toMatchObject({
      code: "E_ZIP_RATIO",
      details: { limit: 4, setting: "unpackedMb" },
    });
  });
});

const flat = (rows: string, styles = ""): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${SPACES} office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="Ürünler">${rows}</table:table></office:spreadsheet></office:body></office:document>`;

describe("an OpenDocument spreadsheet in one file", () => {
  it("is read like one that is packed", async () => {
    const number = '<table:table-cell office:value-type="float" office:value="99"/>';
    const rows = row(textCell("Ürün Kodu"), textCell("Stok")) + row(textCell("KOD-1"), number);

    expect(await readAll(fileOf("liste.fods", flat(rows)))).toMatchObject({
      kind: "xlsx",
      sheet: "Ürünler",
      header: ["Ürün Kodu", "Stok"],
      rows: [{ row: 2, cells: ["KOD-1", 99] }],
    });
  });

  it("is refused where it declares entities", async () => {
    const hostile = flat(row(textCell("a"), textCell("b"))).replace(
      "<office:document",
      '<!DOCTYPE x [<!ENTITY a "b">]><office:document',
    );

    expect((await refusal(readAll(fileOf("a.fods", hostile)))).code).toBe("E_RECORD_DOCTYPE");
  });

  it("is refused as damaged XML where it is cut off", async () => {
    const cut = flat(row(textCell("a"), textCell("b"))).slice(0, -40);

    expect((await refusal(readAll(fileOf("a.fods", cut)))).code).toBe("E_XML");
  });

  it("keeps repeated blanks within a text, as LibreOffice does", async () => {
    const cell = textCell('a  b <text:span>  c</text:span>\n   d<text:s text:c="2"/>e');
    const rows = row(textCell("Kod"), textCell("Ad")) + row(textCell("1"), cell);

    expect(await readCells(fileOf("a.fods", flat(rows)))).toEqual([["1", "a  b   c d  e"]]);
  });
});

const CHOICE_SPACES =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"';

const rowOf = (text: string): string =>
  `<table:table-row><table:table-cell><text:p>${text}</text:p></table:table-cell><table:table-cell><text:p>${text}</text:p></table:table-cell></table:table-row>`;
const tableOf = (name: string, texts: readonly string[]): string =>
  `<table:table table:name="${name}">${texts.map((text) => rowOf(text)).join("")}</table:table>`;

const fileWith = (tables: readonly string[]): string => {
  const content = `<office:document-content ${CHOICE_SPACES}><office:body><office:spreadsheet>${tables.join("")}</office:spreadsheet></office:body></office:document-content>`;
  const parts = [
    { name: "mimetype", content: "application/vnd.oasis.opendocument.spreadsheet" },
    { name: "META-INF/manifest.xml", content: "<manifest/>" },
    { name: "content.xml", content },
  ];
  return fileOf("a.ods", zipOf(parts));
};

it("lists the filled sheets of an OpenDocument file", async () => {
  const path = fileWith([
    tableOf("Boş", []),
    tableOf("Tabak", ["Kod"]),
    tableOf("Kaşık", ["Kod", "K2"]),
  ]);

  expect(await listSheets({ path })).toMatchObject([
    { name: "Tabak", rows: 1 },
    { name: "Kaşık", rows: 2 },
  ]);
});

it("begins with the first filled sheet where all sheets of an OpenDocument file are wanted", async () => {
  const tables = [
    tableOf("Boş", []),
    tableOf("Tabak", ["Kod", "K1"]),
    tableOf("Kaşık", ["Kod", "K2"]),
  ];

  await using sheet = await openSheet({ path: fileWith(tables), sheet: "hepsi" });

  const codes = await Array.fromAsync(sheet.rows(), ({ cells: [code] }) => code);
  expect(codes).toEqual(["K1"]);
});
