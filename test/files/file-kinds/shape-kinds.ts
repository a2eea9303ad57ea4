/** Kinds of files that their container decides, or lines that are no products. */

import { gzipSync } from "node:zlib";

import { type BookType, utils, write } from "@e965/xlsx";

import { workbookOf, workbookParts } from "../bad-files/make-workbook.ts";
import { makeZip } from "../bad-files/make-zip.ts";
import {
  codeOf,
  csvOf,
  type Facts,
  headersOf,
  type Kind,
  type Row,
  rowOf,
  toText,
  xlsxOf,
} from "./kind.ts";
import { type MadeWorkbook, makeWorkbook, shown, typed } from "./make-workbook.ts";

interface ShapeKind extends Pick<Kind, "must"> {
  readonly name: string;
  readonly file: string;
  readonly changes?: Row;
  readonly facts?: Partial<Facts>;
  readonly toContent: (row: Row) => string | Buffer;
  readonly code?: RegExp;
}

const PRICE = { "Fiyat *": 499.9 };

/** A workbook of another format, as text or bytes. */
function saved(row: Row, bookType: BookType): Buffer {
  const headers = headersOf([row]);
  const book = utils.book_new();
  const cells = headers.map((header) => row[header] ?? null);
  utils.book_append_sheet(book, utils.aoa_to_sheet([[...headers], cells]), "Ürünler");
  if (bookType === "xlsm") book.vbaraw = Buffer.from("macros");
  const written: unknown = write(book, { type: "buffer", bookType });
  return Buffer.from(written instanceof Uint8Array ? written : String(written));
}

const changed =
  (bookType: BookType, change: (text: string) => string) =>
  (row: Row): string =>
    change(saved(row, bookType).toString());

const asCsv =
  (change: (csv: string) => string) =>
  (row: Row): string =>
    change(csvOf([row]));

const sheetOf = (row: Row): NonNullable<MadeWorkbook["first"]> => {
  const headers = headersOf([row]);
  return { name: "Liste", rows: [headers, headers.map((header) => row[header] ?? null)] };
};

const headerOf = (csv: string): string => csv.split("\r\n")[0] ?? "";
const withLine = (csv: string, at: number, line: string): string =>
  csv.split("\r\n").toSpliced(at, 0, line).join("\r\n");

const filledOf = (row: Row): readonly (readonly [header: string, text: string])[] =>
  headersOf([row]).flatMap((header) => {
    const text = toText(row[header]);
    return text === "" ? [] : [[header, text]];
  });

/** An element for each filled cell, named by its header. */
const elementsOf = (row: Row): string =>
  filledOf(row)
    .map(([header, text]) => {
      const name = header.replaceAll(/[^\p{L}\p{N}]+/gu, "_").replace(/_$/u, "");
      return `<${name}><![CDATA[${text}]]></${name}>`;
    })
    .join("\n");

/** Tables that a person reads at once. */
const READ: readonly ShapeKind[] = [
  ...(
    [
      ["JSON", "a.json", (row) => JSON.stringify([Object.fromEntries(filledOf(row))])],
      [
        "JSON below a key",
        "a.csv",
        (row) => JSON.stringify({ data: { items: [Object.fromEntries(filledOf(row))] } }),
      ],
      ["XML", "a.xml", (row) => `<Urunler><Urun>${elementsOf(row)}</Urun></Urunler>`],
      ["a compressed table", "a.csv.gz", (row) => gzipSync(csvOf([row]))],
    ] satisfies readonly (readonly [string, string, ShapeKind["toContent"]])[]
  ).map(([name, file, toContent]): ShapeKind => ({ name, file, toContent, must: "sent" })),
  {
    name: "a table of HTML named .xls",
    file: "a.xls",
    toContent: (row) => saved(row, "html"),
    must: "sent",
  },
  {
    name: "a part of a page named .xls",
    file: "a.xls",
    toContent: changed(
      "html",
      (page) => `<div>${/<table.*<\/table>/su.exec(page)?.[0] ?? ""}</div>`,
    ),
    must: "sent",
  },
  {
    name: "XML Spreadsheet 2003",
    file: "a.xml",
    changes: PRICE,
    toContent: (row) => saved(row, "xlml"),
    must: "sent",
  },
  {
    name: "a spreadsheet of OpenDocument in one file",
    file: "a.fods",
    changes: PRICE,
    toContent: (row) => saved(row, "fods"),
    must: "sent",
  },
  {
    name: "a price in an OpenDocument cell without a text",
    file: "a.fods",
    changes: PRICE,
    toContent: changed("fods", (xml) =>
      xml.replaceAll(/(value-type="float"[^>]*>)<text:p>[^<]*<\/text:p>/gu, "$1"),
    ),
    must: "sent",
  },
  {
    name: "a drawing in an OpenDocument cell",
    file: "a.fods",
    facts: { title: "Tabak" },
    changes: { "Başlık *": "Tabak" },
    toContent: changed("fods", (xml) =>
      xml.replace("<text:p>Tabak<", "<draw:rect><text:p>Not</text:p></draw:rect><text:p>Tabak<"),
    ),
    must: "sent",
  },
  {
    name: "an .xls of Excel 97",
    file: "a.xls",
    changes: PRICE,
    toContent: (row) => saved(row, "biff8"),
    must: "sent",
  },
  {
    name: "a workbook with macros",
    file: "a.xlsm",
    toContent: (row) => saved(row, "xlsm"),
    must: "sent",
  },
  {
    name: "a shared text that names none",
    file: "a.xlsx",
    changes: { Not: typed("s", "") },
    toContent: (row) => xlsxOf([row]),
    must: "sent",
  },
  {
    name: "a sheet whose state is show",
    file: "a.xlsx",
    toContent: (row) => makeWorkbook({ rows: sheetOf(row).rows, state: "show" }),
    must: "sent",
  },
  {
    name: "bytes behind its end",
    file: "a.xlsx",
    toContent: (row) => Buffer.concat([xlsxOf([row]), Buffer.from("\r\n--x--\r\n")]),
    must: "sent",
  },
  {
    name: "CR LF within a text of a workbook",
    file: "a.xlsx",
    changes: { "Açıklama *": "bir\r\niki_x000D_\nüç" },
    facts: { description: "bir\niki\nüç" },
    toContent: (row) => xlsxOf([row]),
    must: "sent",
  },
  {
    name: "an amount in an unquoted currency",
    file: "a.xlsx",
    changes: { "Fiyat *": shown(12.5, "#,##0.00 USD") },
    facts: { price: 1250, currency: "USD" },
    toContent: (row) => xlsxOf([row]),
    must: "safe",
  },
  {
    name: "Ctrl-Z at the end",
    file: "a.csv",
    toContent: asCsv((csv) => `${csv}\r\n\u001a`),
    must: "sent",
  },
  {
    name: "lines that end in CR CR LF",
    file: "a.csv",
    toContent: asCsv((csv) => `${csv}\r\n`.replaceAll("\r\n", "\r\r\n")),
    must: "sent",
  },
  {
    name: "rows that end with a delimiter while the header does not",
    file: "a.csv",
    toContent: asCsv((csv) => `${csv};\r\n`),
    must: "sent",
  },
  {
    name: "a header that ends with a delimiter while rows do not",
    file: "a.csv",
    toContent: asCsv((csv) => `${csv.replace("\r\n", ";\r\n")}\r\n`),
    must: "sent",
  },
  {
    name: "blanks before quotes",
    file: "a.csv",
    changes: { "Başlık *": "@@" },
    facts: { title: "Tabak; büyük" },
    toContent: asCsv((csv) => csv.replace("@@", ' "Tabak; büyük"')),
    must: "safe",
  },
  {
    name: "a row of totals",
    file: "a.csv",
    toContent: asCsv((csv) => `${csv}\r\nTOPLAM${";".repeat(7)}499,90${";".repeat(5)}\r\n`),
    must: "sent",
  },
  {
    name: "headers that are repeated",
    file: "a.csv",
    toContent: asCsv((csv) => withLine(csv, 1, headerOf(csv))),
    must: "sent",
  },
  {
    name: "a row of invisible marks",
    file: "a.csv",
    toContent: asCsv((csv) => withLine(csv, 1, "\u200b;\u2060")),
    must: "sent",
  },
  {
    name: "group headers above the headers",
    file: "a.csv",
    toContent: asCsv((csv) => `Genel;;;;;;;Fiyat bilgisi;;;;;\r\n${csv}`),
    must: "sent",
  },
  {
    name: "a row of settings above the headers",
    file: "a.csv",
    toContent: asCsv((csv) => `TemplateType=fptcustom;Version=2026.1;Bu satırı silmeyin\r\n${csv}`),
    must: "sent",
  },
  {
    name: "remarks between the rows",
    file: "a.csv",
    toContent: asCsv((csv) => `# stok listesi\r\n${withLine(csv, 1, "# depo 1")}\r\n# son\r\n`),
    must: "sent",
  },
  {
    name: "one sheet, whose name begins with an underscore",
    file: "a.xlsx",
    toContent: (row) => makeWorkbook({ rows: sheetOf(row).rows, name: "_Liste" }),
    must: "sent",
  },
];

/** Files that are refused, for a reason that their user can do something about. */
const REFUSED: readonly ShapeKind[] = [
  {
    name: "its data on a hidden sheet",
    file: "a.xlsx",
    toContent: (row) =>
      makeWorkbook({ rows: sheetOf(row).rows, state: "hidden", first: { name: "Boş", rows: [] } }),
    must: "refused",
    code: /^E_FILE_EMPTY$/u,
  },
  {
    name: "the same headers on two sheets",
    file: "a.xlsx",
    toContent: (row) => makeWorkbook({ rows: sheetOf(row).rows, first: sheetOf(row) }),
    must: "refused",
    code: /^E_SHEET_CHOICE$/u,
  },
  {
    name: "a cell beyond the last column",
    file: "a.xlsx",
    toContent: () => workbookOf('<row r="1"><c r="A1"><v>1</v></c><c r="KP1"><v>1</v></c></row>'),
    must: "refused",
    code: /^E_TOO_MANY_COLUMNS$/u,
  },
  ...(
    [
      ["a page without a table", "a.xls", () => "<html><p>Giriş yapın</p></html>"],
      ["a binary workbook", "a.xlsb", (row) => saved(row, "xlsb")],
      [
        "a password",
        "a.xlsx",
        () =>
          Buffer.concat([
            Buffer.from("d0cf11e0a1b11ae1", "hex"),
            Buffer.from("EncryptedPackage", "utf16le"),
          ]),
      ],
      [
        "a spreadsheet of OpenOffice 1",
        "a.sxc",
        () =>
          makeZip([
            { name: "mimetype", content: "application/vnd.sun.xml.calc" },
            {
              name: "content.xml",
              content: '<!DOCTYPE office:document-content SYSTEM "office.dtd"><a/>',
            },
          ]),
      ],
    ] satisfies readonly (readonly [string, string, ShapeKind["toContent"]])[]
  ).map(([name, file, toContent]): ShapeKind => ({
    name,
    file,
    toContent,
    must: "refused",
    code: /^E_FILE_TYPE$/u,
  })),
  {
    name: "a part of a workbook that is missing",
    file: "a.xlsx",
    toContent: () => makeZip(workbookParts({ sheets: [{ name: "A", rows: "" }] }).slice(0, 2)),
    must: "refused",
    code: /^E_NOT_XLSX$/u,
  },
];

function toKind({ name, file, changes, facts, toContent, ...rest }: ShapeKind): Kind {
  const row = rowOf(changes);
  const reads = [{ product_code: codeOf(row), price: 49_990, ...facts }];
  return { name, file, content: () => toContent(row), reads, ...rest };
}

export const SHAPE_KINDS: readonly Kind[] = [...READ, ...REFUSED].map(toKind);
