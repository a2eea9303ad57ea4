import { writeFileSync } from "node:fs";

import { utils, type WorkSheet, write } from "@e965/xlsx";
import { describe, expect, it } from "vitest";

import { openSheet, writeXlsx } from "../../../src/index.ts";
import { fileOf, readAll, readCells, refusal } from "../../helpers/files.ts";
import { changeRecords, oldWorkbookOf } from "../../helpers/old-workbooks.ts";

const MARKUP_ROWS =
  "<tr><th>Kod</th><th>Ad</th><th>Fiyat</th></tr><tr><td>00123</td><td>&Ccedil;ay &amp; şeker<br>x</td><td>1.299,90</td></tr>";
const CELLS = [["00123", "Çay & şeker\nx", "1.299,90"]];

it.each([
  [
    "a page",
    Buffer.from(`<html><head><meta charset="utf-8"></head><table>${MARKUP_ROWS}</table></html>`),
  ],
  ["a part of a page", Buffer.from(`<div><table border=1>${MARKUP_ROWS}</table></div>`)],
  ["a page in UTF-16", Buffer.from(`\ufeff<table>${MARKUP_ROWS}</table>`, "utf16le")],
  [
    "a page in windows-1254",
    Buffer.from(
      `<meta charset="windows-1254"><table>${MARKUP_ROWS}</table>`.replace("ş", "\u00fe"),
      "latin1",
    ),
  ],
] as const)(
  "reads the texts of a table in %s that is named like a workbook",
  async (what, content) => {
    expect(await readCells(fileOf("liste.xls", content))).toEqual(CELLS);
  },
);

it.each([
  ["&#350;eker &#x131;&#x15F;&#305;k &ntilde;&frac12; &#150;", "Şeker ışık ñ½ –"],
  ["a&#160;b&nbsp;c", "a b c"],
  [
    "&#60;b&#62; &#38;amp; &amp;#351; &#0; &#55296; &unknown;",
    "<b> &amp; &#351; &#0; &#55296; &unknown;",
  ],
  ["Çelik <b>Kaşık</b> <font color=red>Seti</font> 6 <span>lı</span>", "Çelik Kaşık Seti 6 lı"],
  ["<p>Birinci</p> <p class=x>İkinci</p><p>Üçüncü</p>", "Birinci\nİkinci\nÜçüncü"],
  ["<div>bir<br/>iki</div>", "bir\niki"],
])("reads the text of a cell of HTML as a browser shows it: %s", async (content, shown) => {
  const rows = `<tr><th><b>Kod</b></th><th>Ad</th></tr><tr><td>K1</td><td>${content}</td></tr>`;
  const path = fileOf("liste.xls", `<meta charset="utf-8"><table>${rows}</table>`);

  expect(await readAll(path)).toMatchObject({
    header: ["Kod", "Ad"],
    rows: [{ cells: ["K1", shown] }],
  });
});

const cell = (type: string, text: string): string =>
  `<Cell><Data ss:Type="${type}">${text}</Data></Cell>`;

it("reads XML Spreadsheet 2003 with its numbers", async () => {
  const content = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Ürünler"><Table><Row>${cell("String", "Kod")}${cell("String", "Fiyat")}</Row><Row>${cell("String", "00123")}${cell("Number", "12.5")}</Row></Table></Worksheet></Workbook>`;

  expect(await readAll(fileOf("liste.xml", content))).toMatchObject({
    sheet: "Ürünler",
    rows: [{ row: 2, cells: ["00123", 12.5] }],
  });
});

it.each([
  ["Currency", "#,##0.00"],
  ["Euro Currency", "[$€-2] #,##0.00"],
  ["Percent", "0.00%"],
  ["#,##0.00 &quot;TL&quot;", '#,##0.00 "TL"'],
])("reads the number format %s of XML Spreadsheet 2003", async (format, code) => {
  const style = `<Styles><Style ss:ID="s"><NumberFormat ss:Format="${format}"/></Style></Styles>`;
  const price = '<Cell ss:StyleID="s"><Data ss:Type="Number">12.5</Data></Cell>';
  const rows = `<Row>${cell("String", "Kod")}${cell("String", "Fiyat")}</Row><Row>${cell("String", "K1")}${price}</Row>`;
  const content = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">${style}<Worksheet ss:Name="A"><Table>${rows}</Table></Worksheet></Workbook>`;

  expect(await readAll(fileOf("liste.xml", content))).toMatchObject({
    rows: [{ cells: ["K1", 12.5], formats: { 1: code } }],
  });
});

it.each([
  ["a page without a table", "<html><p>Giriş yapın</p></html>", "E_FILE_TYPE", "html"],
  [
    "markup with entities of its own",
    '<!DOCTYPE html [<!ENTITY a "b">]><table></table>',
    "E_XML",
    undefined,
  ],
])("refuses %s", async (_, content, code, hint) => {
  const error = await refusal(readAll(fileOf("liste.xls", content)));

  expect([error.code, error.details.hint]).toEqual([code, hint]);
});

function sheetOf(): WorkSheet {
  const sheet = utils.aoa_to_sheet([
    ["Kod", "Ürün Adı", "Fiyat", "Tarih", "Var"],
    ["00123", "Çelik kaşık ığşİ", 1299.9, 45_322, true],
    ["8690000000000", "Şekerlik", 19.5, 45_323, false],
  ]);
  for (const address of ["D2", "D3"]) Object.assign(sheet[address] ?? {}, { z: "dd.mm.yyyy" });
  sheet["!rows"] = [{}, {}, { hidden: true }];
  return sheet;
}

const bytesOf = (
  bookType: "biff8" | "ods",
  sheets: Readonly<Record<string, WorkSheet>>,
): Buffer => {
  const book = utils.book_new();
  for (const [name, sheet] of Object.entries(sheets)) utils.book_append_sheet(book, sheet, name);
  const bytes: unknown = write(book, { type: "buffer", bookType });
  return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
};

const toSheets = (
  sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>,
): Record<string, WorkSheet> =>
  Object.fromEntries(
    Object.entries(sheets).map(([name, rows]) => [
      name,
      utils.aoa_to_sheet(rows.map((row) => [...row])),
    ]),
  );

describe("a workbook with further sheets", () => {
  const sheets = {
    Ürünler: [
      ["Kod", "Fiyat"],
      ["K1", 5],
    ],
    Aksesuarlar: [
      ["Grup", "Sayı"],
      ["Çanta", 6],
    ],
    Boş: [[]],
  };
  const names = Object.keys(sheets);
  type Contents = Parameters<typeof toSheets>[0] & Readonly<Record<string, (string | number)[][]>>;
  const made: Readonly<Record<string, (path: string, contents?: Contents) => Promise<void>>> = {
    "a.xls": async (path, contents = sheets) =>
      writeFileSync(path, bytesOf("biff8", toSheets(contents))),
    "a.ods": async (path, contents = sheets) =>
      writeFileSync(path, bytesOf("ods", toSheets(contents))),
    "a.xlsx": async (path, contents = sheets) => {
      const written = Object.entries(contents).map(([name, rows]) => ({ name, columns: [], rows }));
      await writeXlsx({ path, sheets: written });
    },
  };

  it.each(Object.entries(made))(
    "are never left out of %s with the same headers",
    async (name, make) => {
      const path = fileOf(name, "");
      await make(path, { ...sheets, Kış: [["Liste"], ["Kod", "Fiyat"], ["K3", 7]] });

      const error = await refusal(openSheet({ path }));

      expect(error).toMatchObject({
        code: "E_SHEET_CHOICE",
        details: { names: ["Ürünler", "Kış"], rowCounts: [2, 3] },
      });
      expect(error.localized.tr).toContain("“Ürünler” (2 dolu satır), “Kış” (3 dolu satır)");
      await using asked = await openSheet({ path, sheet: "Ürünler" });
      expect(asked.sheet).toBe("Ürünler");
    },
  );

  it.each(Object.entries(made))(
    "reports the sheets of %s that are not read",
    async (name, make) => {
      const path = fileOf(name, "");
      await make(path);

      await using guessed = await openSheet({ path });
      await using asked = await openSheet({ path, sheet: names[1] ?? "" });

      expect(guessed.sheet).toBe("Ürünler");
      expect(guessed.notices().map(({ code, message }) => [code, message.tr])).toEqual([
        [
          "W_SHEETS_LEFT_OUT",
          "Dosyadaki şu sayfalar okunmadı: “Aksesuarlar” (2 dolu satır). Okunacak sayfayı --sheet ile belirtin.",
        ],
      ]);
      expect(asked.notices()).toEqual([]);
    },
  );
});

describe("an .xls or .ods workbook", () => {
  for (const [name, bookType] of [
    ["a.xls", "biff8"],
    ["a.ods", "ods"],
  ] as const) {
    it(`is read with its texts, numbers and dates: ${name}`, async () => {
      const { header, rows, sheet } = await readAll(
        fileOf(name, bytesOf(bookType, { Liste: sheetOf() })),
      );

      expect([sheet, header]).toEqual(["Liste", ["Kod", "Ürün Adı", "Fiyat", "Tarih", "Var"]]);
      expect(rows).toEqual([
        {
          row: 2,
          cells: ["00123", "Çelik kaşık ığşİ", 1299.9, "2024-01-31", true],
          traits: { 3: "date" },
        },
        {
          row: 3,
          cells: ["8690000000000", "Şekerlik", 19.5, "2024-02-01", false],
          traits: { 3: "date" },
        },
      ]);
    });

    it(`returns the lines of its sheet _meta: ${name}`, async () => {
      const meta = utils.aoa_to_sheet([
        ["version", "1"],
        ["store", "s-1"],
      ]);
      const path = fileOf(name, bytesOf(bookType, { Liste: sheetOf(), _meta: meta }));

      await using sheet = await openSheet({ path });

      expect([...(sheet.meta ?? [])]).toEqual([
        ["version", "1"],
        ["store", "s-1"],
      ]);
    });

    it(`has its sheet chosen like any other: ${name}`, async () => {
      const bytes = bytesOf(bookType, { Ocak: sheetOf(), Şubat: sheetOf() });

      expect(await refusal(readAll(fileOf(name, bytes)))).toMatchObject({
        code: "E_SHEET_CHOICE",
        details: { names: ["Ocak", "Şubat"] },
      });
    });
  }

  it("is refused beyond the limits", async () => {
    const bytes = bytesOf("biff8", { Liste: sheetOf() });

    expect((await refusal(readAll(fileOf("a.xls", bytes), { limits: { columns: 3 } }))).code).toBe(
      "E_TOO_MANY_COLUMNS",
    );
  });

  it("returns the number formats of its cells", async () => {
    const sheet = sheetOf();
    const codes = { C2: "[$$-409]#,##0.00", C3: '0.00" TL"' };
    for (const [address, z] of Object.entries(codes)) Object.assign(sheet[address] ?? {}, { z });

    const { rows } = await readAll(fileOf("a.xls", bytesOf("biff8", { Liste: sheet })));

    expect(rows.map(({ formats }) => formats)).toEqual([{ 2: codes.C2 }, { 2: codes.C3 }]);
  });
});

const ROWS = [
  ["Kod", "Ad"],
  ["K1", "Tabak"],
  ["K2", 5],
];

describe("an .xls of Excel 2 to 5", () => {
  it.each(["biff2", "biff3", "biff4", "biff5"] as const)("is read: %s", async (bookType) => {
    expect(await readCells(fileOf("a.xls", oldWorkbookOf(ROWS, bookType)))).toEqual([
      ["K1", "Tabak"],
      ["K2", 5],
    ]);
  });

  it("has Turkish letters where it names no code page", async () => {
    const bytes = oldWorkbookOf([...ROWS, ["K3", "Ka_mat"]], "biff4");
    bytes[bytes.indexOf("Ka_mat") + 2] = 0xfe;

    expect((await readCells(fileOf("a.xls", bytes))).at(-1)).toEqual(["K3", "Kaşmat"]);
  });
});

const [DEFINED_NAME, WRITER, INTERFACE, ENCRYPTION] = [0x18, 0x5c, 0xe1, 0x2f];
/** A name `A` for a formula with a token that the library does not know. */
const ODD_NAME = "00000001080000000000000000000041181d000000000000";
/** Encrypted with the password that Excel tries by itself, and a record without meaning. */
const ENCRYPTED = "0600000059b30a9aff0f02000000";

describe("an .xls that the library cannot read", () => {
  it("is read without its defined names", async () => {
    const bytes = changeRecords(oldWorkbookOf(ROWS), (stream, { type, at }) => {
      if (type !== WRITER) return;
      stream.writeUInt16LE(DEFINED_NAME, at);
      stream.fill(0, at + 4, at + 4 + stream.readUInt16LE(at + 2)).write(ODD_NAME, at + 4, "hex");
    });

    expect(await readCells(fileOf("a.xls", bytes))).toEqual([
      ["K1", "Tabak"],
      ["K2", 5],
    ]);
  });

  it("is said to be encrypted where its records are", async () => {
    const bytes = changeRecords(oldWorkbookOf(ROWS), (stream, { type, at }) => {
      if (type !== INTERFACE) return;
      stream.writeUInt16LE(ENCRYPTION, at);
      stream.write(ENCRYPTED, at + 2, "hex");
    });

    expect(await refusal(readAll(fileOf("a.xls", bytes)))).toMatchObject({
      code: "E_FILE_TYPE",
      details: { hint: "password" },
    });
  });
});

it("reads the only table of an .xls with a chart on a sheet of its own", async () => {
  const book = utils.book_new();
  for (const name of ["Liste", "Grafik"]) {
    utils.book_append_sheet(book, utils.aoa_to_sheet(ROWS), name);
  }
  const written: unknown = write(book, { type: "buffer", bookType: "biff8" });
  let sheets = 0;
  const bytes = changeRecords(
    Buffer.isBuffer(written) ? written : Buffer.alloc(0),
    (stream, record) => {
      if (record.type !== SHEET_START) return;
      sheets += 1;
      // The first one starts the workbook.
      if (sheets === 3) stream.writeUInt16LE(CHART, record.at + 6);
    },
  );

  expect(await readAll(fileOf("a.xls", bytes))).toMatchObject({ sheet: "Liste" });
});

it("the last row of an .xls is read however many empty rows are above it", async () => {
  const path = fileOf("a.xls", bytesOf("biff8", { Ürünler: sheetWithLastRow(65_536) }));

  const { rows } = await readAll(path);

  expect(rows.map(({ row }) => row)).toEqual([2, 65_536]);
});

const [SHEET_START, CHART] = [0x809, 0x20];

function sheetWithLastRow(row: number): WorkSheet {
  const sheet = utils.aoa_to_sheet([
    ["Kod", "Fiyat"],
    ["K1", 5],
  ]);
  utils.sheet_add_aoa(sheet, [["K2", 6]], { origin: `A${row}` });
  return sheet;
}
