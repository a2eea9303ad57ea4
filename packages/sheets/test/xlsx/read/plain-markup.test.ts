import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { SheetRow } from "../../../src/cell.ts";
import { SheetError } from "../../../src/sheet-error.ts";
import { collectSharedStrings, parseNumberFormat } from "../../../src/xlsx/read/cell-value.ts";
import { createPlainCell, readPlainCell } from "../../../src/xlsx/read/plain-markup.ts";
import { createFormatTable, toFrame, unpackRow } from "../../../src/xlsx/read/row-frame.ts";
import { createWorksheetReader } from "../../../src/xlsx/read/worksheet.ts";
import { sharedStrings, writeInPieces } from "../../helpers/xml.ts";

const FORMATS = ["General", "dd.mm.yyyy", "00000", "0.00", '@" adet"'].map(parseNumberFormat);
const STRINGS = ["çığ", "", "şu", "a&#31;b", "_x001F_", "ü".repeat(101), "ü".repeat(100)];

interface Outcome {
  readonly rows: readonly SheetRow[];
  readonly refused: string;
}

/**
 * Reads a sheet in pieces; `prefix` gives every element a shape that the fast path does not read.
 */
function read(rowsXml: string, pieceBytes: number, prefix = ""): Outcome {
  const rows: SheetRow[] = [];
  const table = createFormatTable();
  const { xml } = createWorksheetReader({
    file: "a.xlsx",
    maxRows: 100,
    limits: { rows: 100, columns: 50, cellChars: 100 },
    workbook: {
      strings: sharedStrings(STRINGS),
      formats: FORMATS,
      isDate1904: false,
    },
    table,
    onRow: (row) => rows.push(unpackRow(toFrame(row), 0, table.codes())),
  });
  const document = `<sheetData>${rowsXml}</sheetData>`;
  try {
    writeInPieces(xml, document.replaceAll(/<(\/?)(\w)/g, `<$1${prefix}$2`), pieceBytes);
  } catch (error) {
    if (error instanceof SheetError) return { rows, refused: `${error.code} ${error.message}` };
    throw error;
  }
  return { rows, refused: "" };
}

const address = fc
  .tuple(
    fc.constantFrom("A", "B", "C", "AB", "AZ", "XFE", "ABCD"),
    fc.constantFrom("1", "1", "1", "1", "2", "01", "12345678901"),
  )
  .map(([letters, digits]) => `r="${letters}${digits}"`);
const style = fc.constantFrom("", "", 's="1"', 's="2"', 's="3"', 's="4"', 's="0"', 's="99"');
const TYPES = [
  "",
  't="s"',
  't="s"',
  't="n"',
  't="str"',
  't="inlineStr"',
  't="b"',
  "t='s'",
  't = "s"',
  'cm="1"',
];
const CONTENTS = [
  "0",
  "1",
  "2",
  "3",
  "4",
  "5",
  "6",
  "7",
  "1.5",
  "-0",
  "-1.25",
  "45322",
  "1E3",
  "",
  " 1 ",
  "0x1",
  "&#49;",
  "12345678901",
  "123456789012345678901234",
  ".5",
  "5.",
  "1.2.3",
  "x",
  "ş",
  "a&amp;b",
  "_x0041_",
  "a_b",
  "\n",
  "ü".repeat(101),
  "ü".repeat(100),
  "ab\u001fc",
  "<!-- -->1",
];
const toBody = (text: string, shape: number): string => {
  if (shape === 0) return `<is><t>${text}</t></is>`;
  if (shape === 1) return `<is><t xml:space="preserve">${text}</t></is>`;
  if (shape === 2) return `<is><r><t>${text}</t></r></is>`;
  if (shape === 3) return `<f>A1</f><v>${text}</v>`;
  return `<v>${text}</v>`;
};
const body = fc
  .tuple(fc.constantFrom(...CONTENTS), fc.integer({ min: 0, max: 7 }))
  .map(([text, shape]) => toBody(text, shape));
const cell = fc
  .tuple(
    fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
    fc.tuple(address, style, fc.constantFrom(...TYPES)),
    fc.option(body, { freq: 8 }),
  )
  .map(([order, attributes, inner]) => {
    const source = order.map((index) => attributes[index]).filter((given) => given !== "");
    const start = `<c ${source.join(" ")}`;
    return inner === null ? `${start}/>` : `${start}>${inner}</c>`;
  });

describe("the fast path through a sheet", () => {
  it("gives the same rows and refusals as the scanner, for every split of the text", () => {
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
      { numRuns: 400 },
    );
  });

  it("gives the same result as the scanner for every content of every type", () => {
    for (const type of TYPES) {
      for (const content of CONTENTS) {
        for (const shape of [0, 1, 4]) {
          const xml = `<row r="1"><c r="A1" ${type}>${toBody(content, shape)}</c></row>`;

          expect(read(xml, 10_000)).toEqual(read(xml, 10_000, "x:"));
        }
      }
    }
  });

  it("is used for a usual sheet", () => {
    const plain = [
      '<c r="B2"><v>1</v></c>',
      '<c r="B2" s="1" t="s"><v>7</v></c>',
      '<c t="n" r="B2"><v>-1.5</v></c>',
      '<c r="B2" t="str"><v>a</v></c>',
      '<c r="B2" t="inlineStr"><is><t>a</t></is></c>',
      '<c r="B2" t="inlineStr"><is><t xml:space="preserve"> a</t></is></c>',
      '<c r="B2" s="4"/>',
    ];

    const ends = plain.map((xml) => readPlainCell(Buffer.from(`${xml}<c`), 0, createPlainCell()));

    expect(ends).toEqual(plain.map((xml) => xml.length));
  });
});

it("shared texts are returned unchanged for every split and storage", () => {
  const letters = fc.string({
    unit: fc.constantFrom("ş", "ğ", "ı", "İ", "a", "😀", "_x", "&amp;", "\t"),
    maxLength: 400,
  });
  fc.assert(
    fc.property(
      fc.array(letters, { maxLength: 30 }),
      fc.integer({ min: 1, max: 50 }),
      (texts, size) => {
        const { xml, strings } = collectSharedStrings({ maxChars: 5_000 });
        const items = texts.map((text, index) =>
          index % 2 === 0 ? `<si><t>${text}</t></si>` : `<si><r><t>${text}</t></r></si>`,
        );

        writeInPieces(xml, `<sst>${items.join("")}</sst>`, size);

        const read2 = Array.from({ length: strings.size() }, (_, index) => strings.get(index));
        expect(read2).toEqual(texts.map((text) => text.replaceAll("&amp;", "&")));
        expect(strings.get(texts.length)).toBeUndefined();
      },
    ),
  );
});
