import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type SheetRow } from "../../src/cell.ts";
import { SheetError } from "../../src/sheet-error.ts";
import { collectSharedStrings } from "../../src/xlsx/shared-strings.ts";
import { createWorksheetReader } from "../../src/xlsx/worksheet.ts";
import { createXmlScanner } from "../../src/xlsx/xml-scanner.ts";

const FORMATS = [{ kind: "plain" }, { kind: "date" }, { kind: "padded", digits: 5 }] as const;
const STRINGS = ["çığ", "", "şu"];

interface Outcome {
  readonly rows: readonly SheetRow[];
  readonly refused: string;
}

/** Reads a sheet in pieces; `prefix` makes every element one that is not taken the short way. */
function read(rowsXml: string, pieceChars: number, prefix = ""): Outcome {
  const rows: SheetRow[] = [];
  const { scanner } = createWorksheetReader({
    file: "a.xlsx",
    maxRows: 100,
    limits: { columns: 50, cellChars: 100 },
    workbook: {
      strings: { size: () => 3, get: (index) => STRINGS[index] },
      formats: FORMATS,
      isDate1904: false,
    },
    onRow: (row) => rows.push(row),
  });
  const xml = `<sheetData>${rowsXml}</sheetData>`.replaceAll(/<(\/?)(\w)/g, `<$1${prefix}$2`);
  try {
    for (let at = 0; at < xml.length; at += pieceChars)
      scanner.write(xml.slice(at, at + pieceChars));
    scanner.end();
  } catch (error) {
    if (error instanceof SheetError) return { rows, refused: `${error.code} ${error.message}` };
    throw error;
  }
  return { rows, refused: "" };
}

const cell = fc
  .tuple(
    fc.constantFrom("A", "B", "C", "AB", "AZ", "XFE", "ABCD"),
    fc.constantFrom("1", "1", "1", "2", "01", "12345678901"),
    fc.constantFrom("", ' s="1"', ' s="2"', ' s="0"', ' s="99"'),
    fc.constantFrom("", ' t="s"', ' t="n"', ' t="str"', ' t="b"'),
    fc.constantFrom(
      "0",
      "1",
      "2",
      "7",
      "1.5",
      "45322",
      "1E3",
      "",
      " 1 ",
      "0x1",
      "&#49;",
      "12345678901",
      "x",
    ),
  )
  .map(
    ([letters, digits, style, type, value]) =>
      `<c r="${letters}${digits}"${style}${type}><v>${value}</v></c>`,
  );

describe("the short way through a sheet", () => {
  it("comes to the same as the long one, rows and refusals, however the text is cut", () => {
    fc.assert(
      fc.property(
        fc.array(cell, { maxLength: 4 }),
        fc.integer({ min: 1, max: 60 }),
        (cells, size) => {
          const xml = `<row r="1">${cells.join("")}</row>`;

          const short = read(xml, 10_000);

          expect(short).toEqual(read(xml, 10_000, "x:"));
          expect(read(xml, size)).toEqual(short);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("is really taken", () => {
    const taken: number[] = [];
    const scanner = createXmlScanner({
      take: (_, start) => {
        taken.push(start);
        return -1;
      },
      open: () => {},
      text: () => {},
      close: () => {},
    });

    scanner.write("<a><b/></a>");

    expect(taken).toEqual([3, 7]);
  });
});

describe("shared texts", () => {
  it("come back whole, however they are cut and wherever they are kept", () => {
    const letters = fc.string({
      unit: fc.constantFrom("ş", "ğ", "ı", "İ", "a", "😀", "_x", "&amp;"),
      maxLength: 400,
    });
    fc.assert(
      fc.property(
        fc.array(letters, { maxLength: 30 }),
        fc.integer({ min: 1, max: 50 }),
        (texts, size) => {
          const { scanner, strings } = collectSharedStrings({ maxChars: 5_000 });
          const xml = `<sst>${texts.map((text, index) => (index % 2 === 0 ? `<si><t>${text}</t></si>` : `<si><r><t>${text}</t></r></si>`)).join("")}</sst>`;

          for (let at = 0; at < xml.length; at += size) scanner.write(xml.slice(at, at + size));
          scanner.end();

          const read2 = Array.from({ length: strings.size() }, (_, index) => strings.get(index));
          expect(read2).toEqual(texts.map((text) => text.replaceAll("&amp;", "&")));
          expect(strings.get(texts.length)).toBeUndefined();
        },
      ),
    );
  });
});
