import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { assertSheetName, escapeXlsxText } from "../../../src/xlsx/write/worksheet.ts";
import {
  type TemplateWorkbook,
  toWritableCell,
  writeTemplate,
} from "../../../src/xlsx/write/write-template.ts";
import { readAll, readCells, temporaryFolder } from "../../helpers/files.ts";
import { partOf } from "../../helpers/workbooks.ts";

describe("escapeXlsxText", () => {
  const cases = [
    ["Kaşık 12", "Kaşık 12"],
    ["satır\nsonu\tve sekme", "satır\nsonu\tve sekme"],
    ["a\rb", "a_x000D_b"],
    ["\u0000\u0001\u007f", "_x0000__x0001_\u007f"],
    ["_x0041_", "_x005F_x0041_"],
    ["_x004_ _y0041_", "_x004_ _y0041_"],
    ["\ud800", "\ufffd"],
  ] as const;
  for (const [text, escaped] of cases) {
    it(`writes ${JSON.stringify(text)} as ${JSON.stringify(escaped)}`, () => {
      expect(escapeXlsxText(text)).toBe(escaped);
    });
  }
});

describe("toWritableCell", () => {
  const sneaky: unknown = { formula: "1+1" };
  it.each([
    ["an empty text as an empty cell", "", null],
    ["a number", -1.5, -1.5],
    ["NaN as text", Number.NaN, "NaN"],
    ["a truth value", false, false],
    ["a text at Excel's limit", "x".repeat(32_767), "x".repeat(32_767)],
    ["a text with escapes as rich text", "a\r", { richText: [{ text: "a_x000D_" }] }],
    ["a DEL, which the library would drop", "\u007f", { richText: [{ text: "_x007F_" }] }],
    ["a text cut before a surrogate pair", `${"x".repeat(32_765)}😍😍`, `${"x".repeat(32_765)}…`],
    ["a longer text cut", "x".repeat(32_768), `${"x".repeat(32_766)}…`],
  ] as const)("writes %s", (what, value, written) => {
    expect(toWritableCell(value)).toEqual(written);
  });

  it("turns an object, which the library would take for a formula, into text", () => {
    // @ts-expect-error -- answers of an API may hold anything
    expect(toWritableCell(sneaky)).toBe("[object Object]");
  });
});

describe("assertSheetName", () => {
  for (const name of ["", "a/b", "a:b", "[a]", "'a", "x".repeat(32)]) {
    it(`refuses ${JSON.stringify(name)}`, () => {
      expect(() => assertSheetName(name)).toThrow(RangeError);
    });
  }

  it("accepts the names that Excel accepts", () => {
    expect(() => assertSheetName("Ürünler (1) 'a' b")).not.toThrow();
  });
});

const TEMPLATE: Omit<TemplateWorkbook, "path"> = {
  dataSheet: "Ürünler",
  guideSheet: {
    name: "Açıklamalar",
    header: ["Sütun", "Ne yazılır"],
    rows: [["Ürün Kodu *", "Sizin kodunuz"]],
  },
  columns: [
    {
      key: "product_code",
      header: "Ürün Kodu *",
      required: true,
      kind: "text",
      note: "Sizin kodunuz",
    },
    {
      key: "category",
      header: "Kategori *",
      required: true,
      kind: "text",
      note: "",
      list: { name: "Kategoriler", strict: false },
    },
    { key: "price", header: "Fiyat *", required: true, kind: "price", note: "" },
    { key: "stock", header: "Stok", required: false, kind: "integer", note: "" },
    {
      key: "warranty_type",
      header: "Garanti",
      required: false,
      kind: "text",
      note: "",
      list: { name: "Garantiler", strict: true },
    },
  ],
  lists: [
    {
      name: "Kategoriler",
      values: [
        { label: "Ev > Mutfak", id: "0012" },
        { label: "Bahçe", id: "c2" },
      ],
    },
    { name: "Garantiler", values: [{ label: "Yok", id: "none" }] },
  ],
  meta: { kind: "products", version: "1" },
};

const written = async (changes: Partial<TemplateWorkbook> = {}): Promise<string> => {
  const path = join(temporaryFolder(), "sablon.xlsx");
  await writeTemplate({ ...TEMPLATE, ...changes, path });
  return path;
};

const dataSheet = async (changes: Partial<TemplateWorkbook> = {}): Promise<string> =>
  partOf(await written(changes), "xl/worksheets/sheet1.xml");

describe("writeTemplate", () => {
  it("is printed on A4 sideways, as wide as a page, with the headers on each page", async () => {
    const path = await written();

    for (const part of ["xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"]) {
      const xml = partOf(path, part);
      expect(xml).toContain('<pageSetUpPr fitToPage="1"/>');
      expect(xml).toMatch(
        /<pageSetup paperSize="9" orientation="landscape" .*fitToWidth="1" fitToHeight="0"/u,
      );
    }
    const titles = partOf(path, "xl/workbook.xml").match(/Print_Titles" localSheetId="\d">[^<]+/gu);
    expect(titles).toEqual([
      'Print_Titles" localSheetId="0">&apos;Ürünler&apos;!$1:$1',
      'Print_Titles" localSheetId="1">&apos;Açıklamalar&apos;!$1:$1',
    ]);
  });

  it("opens at its data sheet, with keys below the headers and data from row 3", async () => {
    const path = await written({ rows: [["007", "Bahçe", 12.5, 3, null]] });

    expect(await readAll(path)).toMatchObject({
      sheet: "Ürünler",
      headerRow: 1,
      header: ["Ürün Kodu *", "Kategori *", "Fiyat *", "Stok", "Garanti"],
      rows: [
        { row: 2, cells: ["product_code", "category", "price", "stock", "warranty_type"] },
        { row: 3, cells: ["007", "Bahçe", 12.5, 3] },
      ],
    });
  });

  it("contains the guide, the lists and the meta values", async () => {
    const path = await written();

    expect(await readCells(path, { sheet: "Açıklamalar" })).toEqual([
      ["Ürün Kodu *", "Sizin kodunuz"],
    ]);
    expect(await readCells(path, { sheet: "_listeler" })).toEqual([
      ["Ev > Mutfak", "0012", "Yok", "none"],
      ["Bahçe", "c2"],
    ]);
    expect(await readCells(path, { sheet: "_meta" })).toEqual([["version", "1"]]);
  });

  it("hides the lists and the meta sheet", async () => {
    const workbook = partOf(await written(), "xl/workbook.xml");

    expect(workbook).toMatch(/name="_listeler" state="veryHidden"/);
    expect(workbook).toMatch(/name="_meta" state="veryHidden"/);
  });

  it("hides the keys and freezes its first columns", async () => {
    const xml = await dataSheet({ frozenColumns: 2 });

    expect(xml).toMatch(/<row r="2" hidden="1"/);
    expect(xml).toContain('<pane xSplit="2" ySplit="2" topLeftCell="C3"');
  });

  it("offers lists by defined names, with a warning unless the list is strict", async () => {
    const path = await written();

    expect(partOf(path, "xl/workbook.xml")).toContain(
      `<definedName name="Kategoriler">&apos;_listeler&apos;!$A$2:$A$3</definedName>`,
    );
    const xml = partOf(path, "xl/worksheets/sheet1.xml");
    expect(xml).toMatch(/errorStyle="warning" sqref="B3:B50002"><formula1>Kategoriler</);
    expect(xml).toMatch(/errorStyle="stop" sqref="E3:E50002"><formula1>Garantiler</);
  });

  it("offers the values of the row's group", async () => {
    const groups = {
      name: "Gruplar",
      values: [
        { label: "A", id: "a" },
        { label: "B", id: "b" },
      ],
    };
    const list = {
      name: "Kategoriler",
      strict: false,
      prompt: "Listeden seçin.",
      error: "Listede yok.",
      group: { column: "product_code", list: "Gruplar" },
    };

    const xml = await dataSheet({
      columns: TEMPLATE.columns.map((column) =>
        column.key === "category" ? { ...column, list } : column,
      ),
      lists: [...TEMPLATE.lists, groups],
    });

    expect(xml).toContain(
      "<formula1>IF(COUNTIF(Gruplar,$A3)=0,Kategoriler,OFFSET(Kategoriler,MATCH($A3,Gruplar,0)-1,0,COUNTIF(Gruplar,$A3),1))</formula1>",
    );
    expect(xml).toMatch(
      /prompt="Listeden seçin\."[^>]*error="Listede yok\."|error="Listede yok\."[^>]*prompt="Listeden seçin\."/u,
    );
  });

  it("offers the values of the row's group from another list where a value has several", async () => {
    const values = [
      { label: "A", id: "a" },
      { label: "A", id: "a" },
    ];
    const group = { column: "product_code", list: "Gruplar", values: "Eslenenler" };
    const list = { name: "Kategoriler", strict: false, group };

    const xml = await dataSheet({
      columns: TEMPLATE.columns.map((column) =>
        column.key === "category" ? { ...column, list } : column,
      ),
      lists: [...TEMPLATE.lists, { name: "Gruplar", values }, { name: "Eslenenler", values }],
    });

    expect(xml).toContain("=0,Kategoriler,OFFSET(Eslenenler,MATCH($A3,Gruplar,0)-1,");
  });

  it("makes columns as wide as their content, within limits", async () => {
    const xml = await dataSheet({ rows: [["x".repeat(20), "y".repeat(90), 1, 1, null]] });

    expect(xml).toContain('<col min="1" max="1" width="23"');
    expect(xml).toContain('<col min="2" max="2" width="44"');
  });

  it("offers no drop-down for a list without values", async () => {
    const lists = TEMPLATE.lists.map(({ name }) => ({ name, values: [] }));

    expect(await dataSheet({ lists })).not.toContain("<dataValidation ");
  });

  it("colours the required empty cells of a started row", async () => {
    const xml = await dataSheet();

    for (const letter of ["A", "B", "C"]) {
      expect(xml).toContain(`<conditionalFormatting sqref="${letter}3:${letter}50002">`);
      expect(xml).toContain(`AND(COUNTA($A3:$E3)&gt;0,LEN(TRIM(${letter}3))=0)`);
    }
    expect(xml).not.toContain('sqref="D3:D50002"><cfRule');
  });

  it("formats codes as text, prices with two decimals and stock without", async () => {
    const path = await written();

    expect(partOf(path, "xl/styles.xml")).toMatch(
      /<cellXfs[^>]*><xf numFmtId="0"[^>]*\/><xf numFmtId="49"[^>]*\/><xf numFmtId="4"[^>]*\/><xf numFmtId="1"/,
    );
    expect(partOf(path, "xl/worksheets/sheet1.xml")).toMatch(
      /<col min="1" [^>]*style="1"[^>]*\/>(?:<col [^>]*style="1"[^>]*\/>)*<col min="3" [^>]*style="2"[^>]*\/><col min="4" [^>]*style="3"/,
    );
  });

  it("adds a note to each header with help, and to no other", async () => {
    const comments = partOf(await written(), "xl/comments1.xml");

    expect(comments.match(/ref="\w+"/g)).toEqual(['ref="A1"']);
    expect(comments).toContain("Sizin kodunuz");
  });

  it("contains no macro and no protection", async () => {
    expect(await dataSheet()).not.toContain("sheetProtection");
  });

  it("refuses a column whose list is missing", async () => {
    await expect(written({ lists: [] })).rejects.toThrow("Kategori");
  });

  for (const name of ["Marka Listesi", "A1", "1a", ""]) {
    it(`refuses ${JSON.stringify(name)} as the name of a list`, async () => {
      await expect(written({ lists: [{ name, values: [] }] })).rejects.toThrow(RangeError);
    });
  }
});
