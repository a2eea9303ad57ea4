import { join } from "node:path";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { SheetRow } from "../../../src/cell.ts";
import { openSheet } from "../../../src/open-sheet.ts";
import { serialToIso } from "../../../src/xlsx/read/cell-value.ts";
import { countLines, toKeptValue } from "../../../src/xlsx/write/worksheet.ts";
import { writeXlsx, type XlsxRow } from "../../../src/xlsx/write/write-xlsx.ts";
import { temporaryFolder } from "../../helpers/files.ts";
import { partOf } from "../../helpers/workbooks.ts";

const ADVICE = "Tam yolunu yazın, örneğin: “Ev & Yaşam > Mutfak > Sofra > Aksesuar”, “Ev & Yaşam”.";

describe("countLines", () => {
  // As LibreOffice breaks them with DejaVu Sans, which it takes where Calibri is missing.
  const measured: readonly (readonly [text: string, width: number, lines: number])[] = [
    ["", 10, 1],
    ["kısa", 10, 1],
    ["iki\nsatır", 40, 2],
    ["The discount is given in two ways: by a list price and by a discount value.", 38, 2],
    ["İndirim iki ayrı yoldan verilmiş: hem piyasa fiyatı hem indirim değeri dolu.", 38, 2],
    ["Bu ürün kodu dosyada birden çok satırda geçiyor (satırlar: 18, 19).", 38, 2],
    ["“Başlık *” is empty, and a new product needs it.", 60, 1],
    [ADVICE, 52, 2],
    ["word ".repeat(12).trimEnd(), 12, 6],
  ];
  for (const [text, width, lines] of measured) {
    it(`counts ${lines} in ${width} characters: ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(countLines(text, width)).toBe(lines);
    });
  }

  it("gives wide letters more room than narrow ones", () => {
    expect(countLines("MWMW ".repeat(10), 20)).toBeGreaterThan(countLines("ilil ".repeat(10), 20));
  });

  it("breaks a word that is longer than a line, and never takes less than its letters need", () => {
    expect(countLines("0".repeat(100), 20)).toBeGreaterThanOrEqual(6);
    expect(countLines(`ek ${"0".repeat(30)}`, 20)).toBe(3);
  });

  it("counts the signs of East Asia as twice as wide as digits", () => {
    expect(countLines("商品".repeat(10), 25)).toBe(2);
  });
});

const COLUMNS = ["A", "B", "C"].map((header) => ({ header }));

async function writeRows(rows: readonly XlsxRow[]): Promise<string> {
  const path = join(temporaryFolder(), "a.xlsx");
  await writeXlsx({ path, sheets: [{ name: "S", columns: COLUMNS, rows }] });
  return path;
}

type Reading = Pick<SheetRow, "cells"> & { readonly traits: SheetRow["traits"] | undefined };

async function readBack(path: string): Promise<readonly Reading[]> {
  await using sheet = await openSheet({ path, headerRow: 1 });
  const rows = await Array.fromAsync(sheet.rows());
  return rows.map(({ cells, traits }) => ({ cells, traits }));
}

const sheetXml = (path: string): string => partOf(path, "xl/worksheets/sheet1.xml");

describe("a row that is written as it was read", () => {
  it("keeps its dates and errors", async () => {
    const row = {
      cells: ["2026-03-01", "#REF!", "2026-03-01T12:30:00"],
      traits: { 0: "date", 1: "error", 2: "date" },
    } as const;

    const path = await writeRows([row]);

    expect(await readBack(path)).toEqual([row]);
  });

  it("displays dates in their own format, else in that of the reader's country", async () => {
    const traits = { 0: "date", 1: "date", 2: "date" } as const;
    const cells = ["2026-03-01", "2026-03-01", "2026-03-01T12:30:00"];

    const path = await writeRows([{ cells, traits, formats: { 0: "mmm yyyy" } }]);

    expect(sheetXml(path)).toMatch(
      /<c r="A2" s="2"><v>46082<\/v><\/c><c r="B2" s="3"><v>46082<\/v><\/c><c r="C2" s="4"><v>46082\.520833/,
    );
    const styles = partOf(path, "xl/styles.xml");
    expect(styles).toContain('<numFmt numFmtId="164" formatCode="mmm yyyy"/>');
    expect([...styles.matchAll(/<xf numFmtId="(\d+)"[^>]*xfId/gu)].map(([, id]) => id)).toEqual([
      "0",
      "0",
      "164",
      "14",
      "22",
    ]);
  });

  it("keeps the formats of its numbers, and its texts as texts", async () => {
    const formats = { 0: '"TR"0000', 1: "[$USD] 0.00", 2: "0%" };

    const path = await writeRows([{ cells: [12, 12.5, "0.15"], formats }]);

    expect(partOf(path, "xl/styles.xml")).toContain(
      '<numFmts count="2"><numFmt numFmtId="164" formatCode="&quot;TR&quot;0000"/><numFmt numFmtId="165" formatCode="[$USD] 0.00"/></numFmts>',
    );
    expect(sheetXml(path)).toContain(
      '<c r="A2" s="2"><v>12</v></c><c r="B2" s="3"><v>12.5</v></c>',
    );
    expect(sheetXml(path)).toMatch(/<c r="C2" s="4" t="inlineStr">/u);
  });

  it("keeps the colour of a wrong cell together with its format", async () => {
    const path = await writeRows([
      { cells: [1, 1], formats: { 0: "0%", 1: "0%" }, fills: { 1: "error" } },
    ]);

    expect(partOf(path, "xl/styles.xml")).toMatch(
      /<xf numFmtId="164" fontId="0" fillId="0"[^>]*>.*?<\/xf><xf numFmtId="164" fontId="0" fillId="2"/u,
    );
  });

  it("replaces errors that only some programs know, and missing results, by #N/A", async () => {
    const path = await writeRows([
      { cells: ["#SPILL!", null, 5], traits: { 0: "error", 1: "formula", 2: "formula" } },
    ]);

    expect(await readBack(path)).toEqual([
      { cells: ["#N/A", "#N/A", 5], traits: { 0: "error", 1: "error" } },
    ]);
    expect(toKeptValue("#SPILL!", "error")).toBe("#N/A");
    expect(toKeptValue(null, "formula")).toBe("#N/A");
    expect(toKeptValue("#SPILL!", undefined)).toBe("#SPILL!");
  });

  it("keeps a date that no number of days stands for", async () => {
    const cells = ["2026-03-01T10:00:00Z", "-5", "9999-12-31"];
    const traits = { 0: "date", 1: "date", 2: "date" } as const;

    const path = await writeRows([{ cells, traits }]);

    expect(await readBack(path)).toEqual([{ cells, traits }]);
  });

  it("keeps every date that a workbook can hold", async () => {
    const seconds = fc.integer({ min: -86_400, max: 2_958_465 * 86_400 });
    const serials = fc.array(seconds, { minLength: 40, maxLength: 40 });

    await fc.assert(
      fc.asyncProperty(serials, async (moments) => {
        const early = [0, 0.5, 1, 59, 59.25, 60, 60.75, 61, 61.5];
        const days = [...early, ...moments.map((moment) => moment / 86_400)];
        const rows = days.map((day) => ({
          cells: [serialToIso(day, false)],
          traits: { 0: "date" } as const,
        }));

        expect(await readBack(await writeRows(rows))).toEqual(rows);
      }),
      { numRuns: 4 },
    );
  });
});
