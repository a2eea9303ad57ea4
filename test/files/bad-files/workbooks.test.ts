import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import {
  goodRow,
  HEADERS,
  type ProductRow,
  writeText,
  writeWorkbook,
} from "../../helpers/product-sheet.ts";
import { makeWorkbook, SMALL_ROWS, textCell, workbookOf, workbookParts } from "./make-workbook.ts";
import { changeParts, makeZip } from "./make-zip.ts";
import { readBytes } from "./read-file.ts";

const read = (content: Buffer): ReturnType<typeof readBytes> => readBytes("a.xlsx", content);
const header = `<row r="1">${textCell("A1", "Kod")}${textCell("B1", "Ad")}${textCell("C1", "Not")}</row>`;
const good = workbookParts({ sheets: [{ name: "A", rows: SMALL_ROWS }] });

const renamed = (names: Readonly<Record<string, string>>): Buffer =>
  makeZip(changeParts(good, ({ name }) => ({ name: names[name] ?? name })));

const replaced = (from: RegExp, to: string): Buffer =>
  makeZip(changeParts(good, ({ content }) => ({ content: String(content).replaceAll(from, to) })));

describe("an unusual but valid workbook", () => {
  const cases = [
    ["written as very large zips are", makeZip(good, true)],
    ["not packed", makeZip(changeParts(good, () => ({ isStored: true })))],
    [
      "with backslashes in the names of its parts",
      renamed({ "xl/workbook.xml": "xl\\workbook.xml" }),
    ],
    [
      "with parts in other capitals",
      renamed({ "xl/worksheets/sheet1.xml": "XL/Worksheets/Sheet1.xml" }),
    ],
    [
      "of the strict kind",
      replaced(
        /http:\/\/schemas\.openxmlformats\.org\/officeDocument\/2006/g,
        "http://purl.oclc.org/ooxml/officeDocument",
      ),
    ],
    ["with prefixes", replaced(/<(\/?)(worksheet|sheetData|row|c|is|t|v)([ >])/g, "<$1x:$2$3")],
    ["without addresses", replaced(/ r="[A-Z]?\d"/g, "")],
    ["with single quotes", replaced(/ r="(\w+)"/g, " r='$1'")],
    [
      "with a merged block of a whole sheet",
      workbookOf(SMALL_ROWS, {
        after: '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
      }),
    ],
    [
      "with a rule for a million cells",
      workbookOf(SMALL_ROWS, {
        after:
          '<dataValidations><dataValidation sqref="A1:J1048576" type="list"><formula1>"a,b"</formula1></dataValidation></dataValidations>',
      }),
    ],
    [
      "with a name for a whole sheet",
      makeWorkbook({
        sheets: [{ name: "A", rows: SMALL_ROWS }],
        workbook:
          '<definedNames><definedName name="n">A!$A$1:$XFD$1048576</definedName></definedNames>',
      }),
    ],
    [
      "in UTF-16",
      makeZip(
        changeParts(good, (part) =>
          part.name.includes("sheet1")
            ? { content: Buffer.from(`\ufeff${String(part.content)}`, "utf16le") }
            : undefined,
        ),
      ),
    ],
  ] as const;
  for (const [what, content] of cases) {
    it(`is read: ${what}`, async () => {
      const { header: names, rows } = await read(content);

      expect([names, rows.map(({ cells }) => cells)]).toEqual([["Kod", "Ad"], [["1", "Kaşık"]]]);
    });
  }

  it("returns texts of all kinds, with letters of two bytes and more", async () => {
    const strings =
      "<si><r><rPr><b/></rPr><t>Çift </t></r><r><t>kişilik</t></r><rPh sb='0'><t>gizli</t></rPh></si>" +
      '<si><t xml:space="preserve"> ğ &amp; &#x1F600; </t></si><si><t>a_x000D_b_x005F_x0041_</t></si>' +
      "<si><t><![CDATA[<ı>]]></t></si><si><t/></si>";
    const cells = [0, 1, 2, 3, 4].map(
      (index) => `<c r="${"ABCDE"[index]}2" t="s"><v>${index}</v></c>`,
    );
    const rows = `${header}<row r="2">${cells.join("")}<c r="F2" t="str"><f>A1</f><v>şey</v></c></row>`;

    const { rows: read2 } = await read(makeWorkbook({ sheets: [{ name: "A", rows }], strings }));

    expect(read2).toEqual([
      {
        row: 2,
        cells: ["Çift kişilik", " ğ & 😀 ", "a\rb_x0041_", "<ı>", null, "şey"],
        traits: { 5: "formula" },
      },
    ]);
  });

  it("returns dates of both calendars, and codes with the zeros that Excel shows", async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="[$-41F]d\\ mmmm\\ yyyy;@"/>' +
      '<numFmt numFmtId="166" formatCode="0.00E+00"/><numFmt numFmtId="167" formatCode="[Red]&quot;dd&quot;0.00"/></numFmts>' +
      '<cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="167"/></cellXfs>';
    const cells = [
      [1, 45_322],
      [2, 123],
      [3, 45_322],
      [4, 8_690_000_000_000],
      [5, 7],
    ].map(([style, value], index) => `<c r="${"ABCDE"[index]}2" s="${style}"><v>${value}</v></c>`);
    const rows = `${header}<row r="2">${cells.join("")}<c r="F2" t="d"><v>2024-01-31T00:00:00</v></c></row>`;
    const sheets = [{ name: "A", rows }];

    const [since1900, since1904] = [
      await read(makeWorkbook({ sheets, styles })),
      await read(makeWorkbook({ sheets, styles, properties: 'date1904="1"' })),
    ];

    expect(since1900.rows).toEqual([
      {
        row: 2,
        cells: ["2024-01-31", "00123", "2024-01-31", 8_690_000_000_000, 7, "2024-01-31"],
        traits: { 0: "date", 2: "date", 5: "date" },
        formats: { 3: "0.00E+00", 4: '[Red]"dd"0.00' },
      },
    ]);
    expect(since1904.rows[0]?.cells[0]).toBe("2028-02-01");
  });

  it("tells an empty result from one that was never stored", async () => {
    const row =
      '<row r="2"><c r="A2"><f>1+1</f><v>2</v></c><c r="B2" t="str"><f>""</f><v></v></c>' +
      '<c r="C2"><f>NOW()</f></c><c r="D2" t="e"><f>A9</f><v>#REF!</v></c></row>';

    expect((await read(workbookOf(header + row))).rows).toEqual([
      {
        row: 2,
        cells: [2, null, null, "#REF!"],
        traits: { 0: "formula", 2: "formula", 3: "error" },
      },
    ]);
  });

  it("reads hidden rows and sheets, with a note", async () => {
    const rows =
      `${header}<row r="2" hidden="1">${textCell("A2", "1")}</row>` +
      `<row r="3">${textCell("A3", "2")}${textCell("B3", "x")}</row><row r="4" hidden="1"/>`;
    const content = workbookOf(rows, {
      before: '<cols><col min="2" max="900" hidden="1"/></cols>',
      after: '<mergeCells><mergeCell ref="A3:A4"/><mergeCell ref="A1:C1"/></mergeCells>',
    });

    const { rows: found, notices } = await read(content);

    expect(found).toHaveLength(2);
    expect(notices).toEqual(["W_MERGED 1", "W_HIDDEN_ROWS 1", "W_HIDDEN_COLUMNS 2"]);
  });

  it("finds the data sheet among guides and hidden sheets", async () => {
    const guide = `<row r="1">${textCell("A1", "Okuyun")}</row>`;
    const content = makeWorkbook({
      sheets: [
        { name: "Açıklamalar", rows: guide },
        { name: "Listelerim", rows: SMALL_ROWS },
        { name: "Gizli", rows: SMALL_ROWS, state: "veryHidden" },
        { name: "Sayfa3", rows: "" },
      ],
    });

    expect((await read(content)).sheet).toBe("Listelerim");
    expect((await readBytes("a.xlsx", content, { sheet: "gizli" })).sheet).toBe("Gizli");
  });
});

const [CODE, TITLE, PRICE] = ["Ürün Kodu *", "Başlık *", "Fiyat *"];

const quoted = (value: string | number | null | undefined): string =>
  `"${String(value ?? "").replaceAll('"', '""')}"`;

/** A CSV file with the columns of the first row. */
function csvOf(rows: readonly ProductRow[]): string {
  const headers = Object.keys(rows[0] ?? Object.fromEntries(HEADERS.map((name) => [name, ""])));
  const lines = rows.map((row) => headers.map((name) => quoted(row[name])).join(";"));
  return [headers.map(quoted).join(";"), ...lines, ""].join("\r\n");
}

interface Issue {
  readonly cell: string;
  readonly code: string;
}

interface Imported {
  readonly exit: number | null;
  readonly issues: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly dir: string;
}

async function importRows(
  shop: TestStore,
  rows: readonly ProductRow[],
  ...flags: readonly string[]
): Promise<Imported> {
  const file = writeText(shop.folder, "a.csv", csvOf(rows));
  const { code: exit, out } = await shop.run("import", file, "--yes", "--json", ...flags);
  const { issues, counts, files } = JSON.parse(out);
  const blocking = issues.filter(({ code }: Issue) => code.startsWith("E_"));
  return {
    exit,
    issues: blocking.map(({ cell, code }: Issue) => `${cell} ${code}`),
    counts,
    dir: files.dir,
  };
}

const sent = (shop: TestStore, field: "price" | "title"): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    shop.sandbox.products().map((product) => [product.product_code, product[field]]),
  );

describe("a number in a sheet", () => {
  it("is read as a person means it, or refused at its cell", async () => {
    const shop = await openTestStore();
    const prices = ["1.234,56", " 12 ", "19,989999999999998", "1e3", "0x10", "١٢", "", "19,985"];
    const rows = prices.map((price, index) => goodRow(index + 1, { [PRICE]: price }));

    const { exit, issues, counts } = await importRows(shop, rows, "--decimal", "comma");

    expect(exit).toBe(5);
    expect(counts).toMatchObject({ rows: 8, added: 4, invalid: 4 });
    expect(issues).toEqual([
      "H6 E_NOT_A_NUMBER",
      "H7 E_NOT_A_NUMBER",
      "H8 E_REQUIRED",
      "H9 E_PRICE_PRECISION",
    ]);
    expect(sent(shop, "price")).toEqual({
      "TST-00001": 123_456,
      "TST-00002": 1200,
      // As programs print a fraction, and a round number.
      "TST-00003": 1999,
      "TST-00004": 100_000,
    });
  });

  it("with a rounding error in a workbook is read as its price", async () => {
    const shop = await openTestStore();
    const rows = [19.989999999999998, 19.985].map((price, at) =>
      goodRow(at + 1, { [PRICE]: price }),
    );
    const file = await writeWorkbook(shop.folder, "a.xlsx", rows);

    const { out } = await shop.run("import", file, "--yes", "--json");

    expect(JSON.parse(out).issues).toMatchObject([{ cell: "H3", code: "E_PRICE_PRECISION" }]);
    expect(sent(shop, "price")).toEqual({ "TST-00001": 1999 });
  });
});

describe("product codes", () => {
  it("that differ only by case, width or space are suspect, and none is sent", async () => {
    const shop = await openTestStore();
    const codes = ["A1", "a1", "A1 ", "Ａ1", "A\u200B1", "B2"];
    const rows = codes.map((code, index) => goodRow(index + 1, { [CODE]: code }));

    const { exit, issues } = await importRows(shop, rows);

    expect(exit).toBe(5);
    expect(issues).toEqual([
      "A2 E_CODE_SUSPECT",
      "A2 E_CODE_DUPLICATE",
      "A3 E_CODE_SUSPECT",
      "A4 E_CODE_SUSPECT",
      "A4 E_CODE_DUPLICATE",
      "A5 E_CODE_SUSPECT",
      "A6 E_CODE_SUSPECT",
    ]);
    expect(Object.keys(sent(shop, "title"))).toEqual(["B2"]);
  });

  it("that are all the same are not added, with a reason", async () => {
    const shop = await openTestStore();
    const rows = [1, 2, 3].map((number) => goodRow(number, { [CODE]: "A1" }));

    const { exit, counts } = await importRows(shop, rows);

    expect(exit).toBe(3);
    expect(counts).toMatchObject({ rows: 3, added: 0 });
    expect(shop.sandbox.stats().adds).toBe(0);
  });
});

describe("a title that looks like a formula", () => {
  it("is sent unchanged, and written so that no spreadsheet program runs it", async () => {
    const shop = await openTestStore();
    const titles = ["'=cmd|' /C calc'!A0", "'=1+1", "-5", "＝1", "@SUM(A1)"];
    const rows = titles.map((title, index) => goodRow(index + 1, { [TITLE]: title }));

    const { exit, dir } = await importRows(shop, rows);

    expect(exit).toBe(0);
    // The one quote is the prefix with which this program marks a text that is no formula.
    const [command, sum, ...others] = titles;
    expect(Object.values(sent(shop, "title"))).toEqual([
      command?.slice(1),
      sum?.slice(1),
      ...others,
    ]);
    const written = readFileSync(join(dir, "result.csv"), "utf8").split("\r\n").slice(1, 6);
    const cells = written.map((line) => line.split(";")[1]);
    expect(cells.every((cell) => cell?.startsWith("\"'"))).toBe(true);
  });
});

describe("a title that is a formula", () => {
  it("is refused, because its result is unknown", async () => {
    const shop = await openTestStore();
    const rows = [
      goodRow(1, { [TITLE]: "=cmd|' /C calc'!A0" }),
      goodRow(2, { [TITLE]: '="Kaşık"' }),
    ];

    const { exit, issues } = await importRows(shop, rows);

    expect(exit).toBe(5);
    expect(issues).toEqual(["B2 E_FORMULA"]);
    expect(Object.values(sent(shop, "title"))).toEqual(["Kaşık"]);
  });
});

describe("fields that depend on each other", () => {
  it("are refused when they contradict each other, each at its cell", async () => {
    const shop = await openTestStore();
    const none = { "İndirim Tipi": "", "İndirim Değeri": "" };
    const rows = [
      goodRow(1, { ...none, "İndirim Tipi": "Yüzde", "İndirim Değeri": 0 }),
      goodRow(2, { ...none, "İndirim Tipi": "Yüzde", "İndirim Değeri": 100 }),
      goodRow(3, { ...none, "İndirim Tipi": "Tutar", "İndirim Değeri": 5000 }),
      goodRow(4, { ...none, "İndirim Değeri": 10 }),
      goodRow(5, { ...none, "Garanti Süresi *": "24 Ay" }),
      goodRow(6, { ...none, "Garanti Tipi *": "İthalatçı Garantili" }),
      goodRow(7, none),
    ];

    const { exit, issues } = await importRows(shop, rows);

    expect(exit).toBe(5);
    expect(issues).toEqual([
      "O2 E_DISCOUNT",
      "O3 E_DISCOUNT",
      "O4 E_DISCOUNT",
      "O5 E_DISCOUNT",
      "K6 E_WARRANTY",
      "K7 E_WARRANTY",
    ]);
    expect(Object.keys(sent(shop, "title"))).toEqual(["TST-00007"]);
  });
});
