import { join } from "node:path";

import { describe, expect, it } from "vitest";

import type { OutCell } from "../../../src/cell.ts";
import {
  createRowSupply,
  SHEET_MAX,
  type StreamSheet,
  streamXlsx,
} from "../../../src/xlsx/write/stream-xlsx.ts";
import { readAll, readCells, temporaryFolder } from "../../helpers/files.ts";
import { partOf } from "../../helpers/workbooks.ts";

async function* stream(): AsyncGenerator<number> {
  yield* [1, 2];
}

describe("createRowSupply", () => {
  it("gives each row once, from a list and from a stream", async () => {
    for (const rows of [[1, 2], stream()]) {
      await using supply = createRowSupply(rows);
      const taken: number[] = [];
      while ((await supply.hasMore()) && (await supply.hasMore())) taken.push(supply.take());

      expect(taken).toEqual([1, 2]);
      expect(() => supply.take()).toThrow(RangeError);
    }
  });

  it("ends rows that were not all taken", async () => {
    let isEnded = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield "x";
      } finally {
        isEnded = true;
      }
    }

    {
      await using supply = createRowSupply(endless());
      await supply.hasMore();
    }

    expect(isEnded).toBe(true);
  });
});

const SHEET = "xl/worksheets/sheet1.xml";

const written = async (sheet: Partial<StreamSheet>): Promise<string> => {
  const path = join(temporaryFolder(), "a.xlsx");
  const columns = [{ header: "A" }, { header: "B", kind: "price" as const }, { header: "C" }];
  await streamXlsx({ path, sheets: [{ name: "Ürünler", columns, rows: [], ...sheet }] });
  return path;
};

describe("streamXlsx", () => {
  it("makes rows high enough for a letter with dots, and formats money in any column", async () => {
    const path = await written({ rows: [["İade", 12.5, { amount: 12.5 }]] });

    const xml = partOf(path, SHEET);
    expect(xml).toMatch(/<\/sheetViews><sheetFormatPr defaultRowHeight="15"\/><cols>/u);
    const [, price] = /r="B2" s="(\d+)"/u.exec(xml) ?? [];
    expect(xml).toContain(`<c r="C2" s="${price}"><v>12.5</v></c>`);
    expect(await readCells(path)).toEqual([["İade", 12.5, 12.5]]);
  });

  it("writes no formula and no link, and marks texts that look like one", async () => {
    const rows = [["=1+1", "@SUM(A1)", '=HYPERLINK("http://x")']];

    const path = await written({ rows });

    const xml = partOf(path, SHEET);
    expect(xml).not.toMatch(/<f[\s>]|<hyperlink/u);
    expect(xml).toContain('<c r="A2" s="2" t="inlineStr">');
    expect(partOf(path, "xl/styles.xml")).toContain('quotePrefix="1"');
    expect(await readCells(path)).toEqual(rows);
  });

  it("takes more columns than letters, several sheets, and an object in place of a text", async () => {
    const path = join(temporaryFolder(), "a.xlsx");
    const columns = Array.from({ length: 30 }, (_, index) => ({ header: `S${index}` }));
    const odd: unknown = [columns.map((_, index) => ({ formula: `A${index}` }))];
    await streamXlsx({
      path,
      sheets: [
        { name: "Ürünler", columns, rows: isRows(odd) ? odd : [] },
        { name: "Açıklamalar", columns: [{ header: "Sütun & <açıklama>" }], rows: [["x"]] },
      ],
    });

    const { header, rows } = await readAll(path);

    expect(header).toHaveLength(30);
    expect(rows[0]?.cells[29]).toBe("[object Object]");
    expect((await readAll(path, { sheet: "Açıklamalar" })).header).toEqual(["Sütun & <açıklama>"]);
  });

  it("writes moments as dates in its format, and any other text of such a column as text", async () => {
    const path = join(temporaryFolder(), "a.xlsx");
    const columns = [{ header: "Tarih", kind: "moment" as const }];
    const rows = [["2026-01-31 09:05:00"], ["dün"], ["2026-02-30 25:00:00"]];

    await streamXlsx({ path, sheets: [{ name: "A", columns, rows }], momentFormat: "dd.mm.yyyy" });

    expect(partOf(path, "xl/styles.xml")).toContain('formatCode="dd.mm.yyyy"');
    expect(await readCells(path)).toEqual([
      ["2026-01-31T09:05:00"],
      ["dün"],
      ["2026-02-30 25:00:00"],
    ]);
  });

  it("freezes its first columns, as wide as their content but not too wide", async () => {
    const columns = [{ header: "A" }, { header: "B" }, { header: "C" }];
    const rows = [["x".repeat(20), "y".repeat(100), "z".repeat(100)]];

    const path = await written({ columns, rows, frozenColumns: 2 });

    const xml = partOf(path, SHEET);
    expect(xml).toContain('xSplit="2" ySplit="1" topLeftCell="C2" activePane="bottomRight"');
    expect(xml.match(/ width="\d+"/gu)).toEqual([' width="22"', ' width="40"', ' width="60"']);
  });

  it("makes the row of a wrapped text as high as its lines", async () => {
    const columns = [{ header: "A", width: 20, kind: "wrapped" as const }];

    const path = await written({ columns, rows: [["kısa"], ["uzun ".repeat(8)]] });

    expect(partOf(path, SHEET).match(/<row r="\d"[^>]*>/gu)).toEqual([
      '<row r="1">',
      '<row r="2">',
      '<row r="3" ht="30" customHeight="1">',
    ]);
  });

  it("cuts a text over the cell's limit without splitting a character", async () => {
    const letters = "x".repeat(SHEET_MAX.cellChars - 2);
    const path = await written({
      rows: [["ş".repeat(SHEET_MAX.cellChars + 1), 1, `${letters}😍😍`]],
    });

    const [row] = await readCells(path);

    expect(row?.[0]).toBe(`${"ş".repeat(SHEET_MAX.cellChars - 1)}…`);
    expect(row?.[2]).toBe(`${letters}…`);
  });

  it("writes a DEL as it is, because LibreOffice would display its escape", async () => {
    const path = await written({ rows: [["\u007f."]] });

    expect(partOf(path, SHEET)).toContain(">\u007f.</t>");
  });
});

/** The marketplace's answers may deviate from the contract. */
function isRows(value: unknown): value is readonly (readonly OutCell[])[] {
  return Array.isArray(value);
}

it("offers words in its cells: the only ones, and those of a hidden list beside which others may be typed", async () => {
  const path = join(temporaryFolder(), "t.xlsx");
  const columns = [
    { header: "A", choices: ["Evet", "Hayır"] },
    { header: "B", suggestions: ['Bir, "iki"', "=1+1"] },
    { header: "C" },
  ];

  await streamXlsx({ path, sheets: [{ name: "S", columns, rows: [["Evet", "başka", "c"]] }] });

  const sheet = partOf(path, "xl/worksheets/sheet1.xml");
  expect(sheet).toContain('sqref="A2:A2"><formula1>&quot;Evet,Hayır&quot;</formula1>');
  expect(sheet).toContain(`sqref="B2:B2"><formula1>'_listeler'!$A$2:$A$3</formula1>`);
  expect(partOf(path, "xl/worksheets/sheet2.xml")).toContain('Bir, "iki"');
  expect(partOf(path, "xl/worksheets/sheet2.xml")).not.toContain("<f>");
  expect(partOf(path, "xl/workbook.xml")).toContain(
    'name="_listeler" sheetId="2" state="veryHidden"',
  );
  expect(await readCells(path)).toEqual([["Evet", "başka", "c"]]);
});
