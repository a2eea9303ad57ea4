/** Files that are invalid as a whole, and the code with which each is refused. */

import { deflateRawSync } from "node:zlib";

import {
  workbookOf,
  workbookParts,
  workbookWith,
  makeWorkbook,
  SMALL_ROWS,
  textCell,
} from "./make-workbook.ts";
import { changeParts, makeZip } from "./make-zip.ts";

export interface BadFile {
  readonly what: string;
  readonly name: string;
  readonly make: () => string | Buffer;
  readonly code: string;
}

const MB = 1024 * 1024;
const SHEET = "xl/worksheets/sheet1.xml";

const xlsx = (what: string, code: string, make: () => Buffer): BadFile => ({
  what,
  name: "urunler.xlsx",
  make,
  code,
});

const csv = (what: string, code: string, content: string | Buffer): BadFile => ({
  what,
  name: "urunler.csv",
  make: () => content,
  code,
});

const goodBook = (): Buffer => workbookOf(SMALL_ROWS);
const cut = (share: number): Buffer => goodBook().subarray(0, goodBook().length * share);
const renamed = (name: string): Buffer =>
  makeZip([
    ...workbookParts({ sheets: [{ name: "A", rows: SMALL_ROWS }] }),
    { name, content: "x" },
  ]);
const COMPOUND = Buffer.from("d0cf11e0a1b11ae1", "hex");

export const BAD_FILES: readonly BadFile[] = [
  xlsx("200 MB of blanks in a sheet", "E_ZIP_RATIO", () =>
    workbookWith(SHEET, (xml) => xml.replace("<sheetData>", `<sheetData>${" ".repeat(200 * MB)}`)),
  ),
  xlsx("200 MB of blanks that the directory calls 500 bytes", "E_ZIP_RATIO", () =>
    workbookWith(
      SHEET,
      (xml) => xml.replace("<sheetData>", `<sheetData>${" ".repeat(200 * MB)}`),
      500,
    ),
  ),
  xlsx("one cell of 200 MB", "E_ZIP_RATIO", () =>
    workbookOf(`<row r="1">${textCell("A1", "x".repeat(200 * MB))}</row>`),
  ),
  xlsx("one cell that Excel could not hold", "E_CELL_TOO_LONG", () =>
    workbookOf(`<row r="1">${textCell("A1", "x".repeat(40_000))}</row>`),
  ),
  xlsx("a row number beyond Excel's last", "E_ROW_RANGE", () =>
    workbookOf('<row r="4000000000"><c r="A4000000000"><v>1</v></c></row>'),
  ),
  xlsx("rows out of order", "E_ROW_RANGE", () =>
    workbookOf('<row r="5"><c r="A5"><v>1</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>'),
  ),
  xlsx("an address that no cell has", "E_CELL_REF", () =>
    workbookOf('<row r="1"><c r="ZZZZZZ1"><v>1</v></c></row>'),
  ),
  xlsx("an address of another row", "E_CELL_REF", () =>
    workbookOf('<row r="1"><c r="A2"><v>1</v></c></row>'),
  ),
  xlsx("two cells at one address", "E_CELL_REF", () =>
    workbookOf('<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>'),
  ),
  xlsx("entities that multiply", "E_XML", () =>
    workbookWith(
      SHEET,
      (xml) => `<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;">]>${xml}`,
    ),
  ),
  xlsx("an entity from a file", "E_XML", () =>
    workbookWith(
      "xl/workbook.xml",
      (xml) => `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${xml}`,
    ),
  ),
  xlsx("an entity that nobody declared", "E_XML", () =>
    workbookWith(SHEET, (xml) => xml.replace("Kaşık", "&gizli;")),
  ),
  xlsx("tags that cross", "E_XML", () =>
    workbookWith(SHEET, (xml) =>
      xml.replace("</sheetData></worksheet>", "</worksheet></sheetData>"),
    ),
  ),
  xlsx("a sheet that ends in the middle", "E_XML", () =>
    workbookWith(SHEET, (xml) => xml.slice(0, -30)),
  ),
  xlsx("bytes that are no UTF-8", "E_XML", () =>
    workbookWith(SHEET, (xml) => Buffer.from(xml.replace("Kaşık", "\u00fe"), "latin1")),
  ),
  xlsx("two parts of one name", "E_ZIP_DUP_ENTRY", () => renamed(SHEET)),
  xlsx("a file cut at 60 %", "E_FILE_TRUNCATED", () => cut(0.6)),
  xlsx("a file cut at 95 %", "E_FILE_TRUNCATED", () => cut(0.95)),
  xlsx("a page with another name", "E_FILE_TYPE", () =>
    Buffer.from("<html><body><main><tr><td>Kod</td></tr></main></body></html>"),
  ),
  xlsx("text with another name", "E_FILE_TYPE", () => Buffer.from("Kod;Ad\n1;Kaşık\n")),
  xlsx("a workbook with a password", "E_FILE_TYPE", () =>
    Buffer.concat([COMPOUND, Buffer.alloc(504), Buffer.from("EncryptedPackage", "utf16le")]),
  ),
  xlsx("a binary workbook", "E_FILE_TYPE", () =>
    makeZip([{ name: "xl/workbook.bin", content: "x" }]),
  ),
  { ...xlsx("half an old workbook", "E_FILE_DAMAGED", () => COMPOUND), name: "eski.xls" },
  xlsx("a zip of something else", "E_NOT_XLSX", () =>
    makeZip([{ name: "foto.jpg", content: "x" }]),
  ),
  xlsx("a part that was changed by a bit", "E_FILE_DAMAGED", () => {
    const parts = workbookParts({ sheets: [{ name: "A", rows: SMALL_ROWS }] });
    const bytes = makeZip(changeParts(parts, () => ({ isStored: true })));
    const at = bytes.indexOf("Kaşık");
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    return bytes;
  }),
  xlsx("two sheets with data", "E_SHEET_CHOICE", () =>
    makeWorkbook({
      sheets: [
        { name: "Ocak", rows: SMALL_ROWS },
        { name: "Şubat", rows: SMALL_ROWS },
      ],
    }),
  ),
  xlsx("nothing but a header's formats", "E_FILE_EMPTY", () =>
    workbookOf('<row r="1"><c r="A1" s="0"/></row>'),
  ),
  csv(
    "a quote on line 2 that is never closed",
    "E_CSV_QUOTE",
    `a;b\n1;"x\n${"1;2\n".repeat(9_000)}`,
  ),
  csv("rows that have slipped", "E_DELIMITER", `a;b\n${"1;2;3\n".repeat(30)}`),
  csv("NUL bytes", "E_NUL", "a;b\n1;\u0000\n"),
  csv(
    "UTF-8 with a broken letter",
    "E_ENCODING",
    Buffer.concat([Buffer.from("Başlık;Ürün\n"), Buffer.from([0xc5, 0x0a])]),
  ),
  csv("bytes of a picture", "E_FILE_TYPE", Buffer.from("89504e470d0a1a0a00", "hex")),
  csv("nothing", "E_FILE_EMPTY", ""),
  csv(
    "packed bytes",
    "E_NUL",
    Buffer.concat([Buffer.from("a;b\n"), Buffer.alloc(40), deflateRawSync("x")]),
  ),
];
