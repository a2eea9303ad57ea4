/**
 * Reads old workbooks (`.xls`) and tables of HTML and XML under such a name. The library reads the whole
 * file at once, so the limits of the process around it protect the machine.
 */

import type * as Library from "@e965/xlsx";
import type { CellObject, WorkBook, WorkSheet } from "@e965/xlsx";

import type { CellTrait, CellValue, SheetRow } from "../../cell.ts";
import { decodeBytes } from "../../csv/encoding.ts";
import { OLD_WORKBOOK, SheetError } from "../../sheet-error.ts";
import { createSheetContent, type SheetContent } from "../../sheet-rows.ts";
import type { ByteSource } from "../zip/read-zip.ts";
import { formatNumber, parseNumberFormat, type ReadCell } from "./cell-value.ts";
import { createRowWriter } from "./row-frame.ts";
import {
  createMetaCollector,
  createSheetFacts,
  findMetaSheet,
  type ListedSheet,
  type MetaLines,
  type SheetFacts,
  toListFacts,
} from "./workbook-parts.ts";
import {
  chooseSheet,
  listFilledSheets,
  type ReaderTools,
  type ReadWorkbook,
  type SheetChoice,
} from "./workbook-reader.ts";
import type { ReaderOrder } from "./xlsx-source.ts";

/** The part of the library that reads compound files. */
interface CompoundFiles {
  read(bytes: Buffer, options: { readonly type: "buffer" }): unknown;
  find(file: unknown, path: string): { content?: unknown } | null;
  write(file: unknown, options: { readonly type: "buffer" }): unknown;
}

interface XlsStream {
  /** Whether its records are encrypted. */
  isEncrypted(): boolean;
  /** The file without its defined names, which can hold formulas unknown to the library. */
  withoutDefinedNames(): Buffer | undefined;
}

/** Names of the stream since Excel 97 and before. */
const STREAMS = ["/Workbook", "/Book"] as const;
const RECORD_HEAD_BYTES = 4;
/** Records that may stand before the one of the encryption. */
const FIRST_RECORDS = 4;
const ENCRYPTION = 0x2f;
const DEFINED_NAMES: ReadonlySet<number> = new Set([0x18, 0x218]);
/** Type of a record that means nothing. */
const NOTHING = 0x0fff;

/** Finds the stream; `undefined` where the compound file is damaged or holds none. */
function findXlsStream(files: CompoundFiles, bytes: Buffer): XlsStream | undefined {
  const file = openFile(files, bytes);
  if (file === undefined) return undefined;
  const entry = STREAMS.map((name) => files.find(file, name)).find((found) => found !== null);
  if (!(entry?.content instanceof Uint8Array)) return undefined;
  const stream = Buffer.from(entry.content);
  return {
    isEncrypted: () =>
      [...recordsOf(stream)].slice(0, FIRST_RECORDS).some(({ type }) => type === ENCRYPTION),
    withoutDefinedNames() {
      const names = [...recordsOf(stream)].filter(({ type }) => DEFINED_NAMES.has(type));
      if (names.length === 0) return undefined;
      for (const { at } of names) stream.writeUInt16LE(NOTHING, at);
      entry.content = stream;
      const written = files.write(file, { type: "buffer" });
      return Buffer.isBuffer(written) ? written : undefined;
    },
  };
}

function openFile(files: CompoundFiles, bytes: Buffer): unknown {
  try {
    return files.read(bytes, { type: "buffer" });
  } catch {
    // The caller reports the failure that it knows already.
    return undefined;
  }
}

interface XlsRecord {
  readonly type: number;
  readonly at: number;
}

function* recordsOf(stream: Buffer): Generator<XlsRecord> {
  for (let at = 0; at + RECORD_HEAD_BYTES <= stream.length;) {
    yield { type: stream.readUInt16LE(at), at };
    at += RECORD_HEAD_BYTES + stream.readUInt16LE(at + 2);
  }
}

const LATIN_1 =
  "iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest " +
  "Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig " +
  "agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const FIRST_LATIN_1 = 0xa1;

/** Letters by the names of HTML, but those of markup. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.split(" ").map(
    (name, index) => [name, String.fromCodePoint(FIRST_LATIN_1 + index)] as const,
  ),
  ...Object.entries({
    scedil: "ş",
    Scedil: "Ş",
    gbreve: "ğ",
    Gbreve: "Ğ",
    inodot: "ı",
    imath: "ı",
    Idot: "İ",
    euro: "€",
    trade: "™",
    ndash: "–",
    mdash: "—",
    rsquo: "’",
    lsquo: "‘",
    rdquo: "”",
    ldquo: "“",
    hellip: "…",
    bull: "•",
  }),
]);

const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,7}));/gu;

/** The text with its letters; what could be markup stays an entity. */
const decodeLetters = (text: string): string =>
  text.replaceAll(
    ENTITY,
    (entity: string, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name !== undefined) return LETTERS.get(name) ?? entity;
      return decimal === undefined
        ? fromNumber(Number.parseInt(hexadecimal ?? "", 16), entity)
        : fromNumber(Number(decimal), entity);
    },
  );

/** Numbers of letters that stay entities. */
const KEPT: ReadonlyMap<number, string> = new Map([
  [0x26, "&amp;"],
  [0x3c, "&lt;"],
  [0x3e, "&gt;"],
  [0xa0, "&nbsp;"],
]);
const LAST_LETTER = 0x10ffff;
/** Numbers that HTML reads as bytes of windows-1252. */
const isWindowsByte = (code: number): boolean => code >= 0x80 && code <= 0x9f;
const isLetter = (code: number): boolean =>
  code > 0 && code <= LAST_LETTER && !(code >= 0xd800 && code <= 0xdfff);

function fromNumber(code: number, entity: string): string {
  if (!isLetter(code)) return entity;
  if (isWindowsByte(code)) return new TextDecoder("windows-1252").decode(Uint8Array.of(code));
  return KEPT.get(code) ?? String.fromCodePoint(code);
}

/*
 * Decodes the tables that programs write as markup under the name of a workbook: HTML and XML
 * Spreadsheet 2003.
 */

const HEAD_BYTES = 1024;
const MARKUP = /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*</u;
const WIDE_MARKS: ReadonlyMap<string, string> = new Map([
  ["fffe", "utf-16le"],
  ["feff", "utf-16be"],
]);
const CHARSET = /(?:charset|encoding)\s*=\s*["']?([\w-]{1,40})/iu;
const SPREADSHEET = /urn:schemas-microsoft-com:office:spreadsheet/u;
/**
 * The code of `Euro Currency`, which the library does not know. It takes `Currency`, that of the
 * machine that wrote the file, for dollars.
 */
const EUROS = "[$€-2] #,##0.00";
const TABLE = /<table[\s>]/iu;

/** Whether the bytes begin with a tag. */
export const isMarkup = (source: ByteSource): boolean =>
  MARKUP.test(
    source.read(0, Math.min(HEAD_BYTES, source.sizeBytes)).toString("latin1").replaceAll("\0", ""),
  );

const OPEN_DOCUMENT = /<office:document\s/u;

/** Whether markup is an OpenDocument spreadsheet in one file (`.fods`). */
export const isFlatOpenDocument = (source: ByteSource): boolean =>
  OPEN_DOCUMENT.test(source.read(0, Math.min(HEAD_BYTES, source.sizeBytes)).toString("latin1"));

/** The text of an OpenDocument file; throws a `SheetError` if it declares entities. */
export function readFlatText(source: ByteSource, file: string): string {
  const text = decodeMarkup(source.read(0, source.sizeBytes), file);
  if (/<!ENTITY/iu.test(text)) throw new SheetError("E_XML", { file });
  return text;
}

/** Throws a `SheetError` for markup that holds no table, declares entities or cannot be decoded. */
function readMarkupText(source: ByteSource, file: string): string {
  const bytes = source.read(0, source.sizeBytes);
  const text = decodeMarkup(bytes, file);
  if (/<!ENTITY/iu.test(text)) throw new SheetError("E_XML", { file });
  if (SPREADSHEET.test(text.slice(0, HEAD_BYTES * 4))) {
    return text
      .replaceAll('ss:Format="Currency"', 'ss:Format="Standard"')
      .replaceAll('ss:Format="Euro Currency"', `ss:Format="${EUROS}"`);
  }
  if (TABLE.test(text)) return toPlainTable(text);
  throw new SheetError("E_FILE_TYPE", { file, hint: "html" });
}

/** The encoding that the document states, else UTF-8, else the one of Turkish Windows. */
function decodeMarkup(bytes: Buffer, file: string): string {
  const stated = CHARSET.exec(bytes.toString("latin1", 0, HEAD_BYTES * 4))?.[1];
  const wide = WIDE_MARKS.get(bytes.toString("hex", 0, 2));
  for (const encoding of [wide, stated, "utf-8", "windows-1254"]) {
    const text = encoding === undefined ? undefined : decodeAs(bytes, encoding);
    if (text !== undefined) return text;
  }
  throw new SheetError("E_ENCODING", { file, found: stated ?? "utf-8" });
}

function decodeAs(bytes: Buffer, encoding: string): string | undefined {
  try {
    return decodeBytes(bytes, encoding);
  } catch (error) {
    // The document names an encoding that does not exist.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Tags within a text, around which the library would remove blanks. */
const INLINE_TAG =
  /<\/?(?:a|abbr|b|big|em|font|i|label|nobr|o:p|s|small|span|strong|sub|sup|u)(?:\s[^<>]*)?>/giu;
/** The end of a paragraph before another one. */
const PARAGRAPHS = /<\/(?:div|h\d|li|p)>\s*<(?:div|h\d|li|p)(?:\s[^<>]*)?>/giu;

/** The page in the tags and letters that the library knows. */
const toPlainTable = (page: string): string =>
  decodeLetters(page).replaceAll(PARAGRAPHS, "<br>").replaceAll(INLINE_TAG, "");

/** Name of the part of a compound file that a password protects. */
const ENCRYPTED_PART = Buffer.from("EncryptedPackage", "utf16le");

/** Password that Excel tries by itself, with which it protects a file without asking for one. */
const DEFAULT_PASSWORD = "VelvetSweatshop";

/** Whether these are the bytes of an `.xls`, or of any workbook with a password. */
export const isOldWorkbook = (source: ByteSource): boolean =>
  source.sizeBytes >= 8 && OLD_WORKBOOK.test(source.read(0, 8).toString("hex"));

export const readXls = async (source: ByteSource, tools: ReaderTools): Promise<ReadWorkbook> =>
  readParsed(await parse(compoundFile(source, tools.order.file), tools.order), tools);

/** Reads a table of HTML or XML Spreadsheet 2003, whose texts stay texts. */
export const readMarkup = async (source: ByteSource, tools: ReaderTools): Promise<ReadWorkbook> =>
  readParsed(await parse(readMarkupText(source, tools.order.file), tools.order), tools);

async function readParsed(workbook: WorkBook, tools: ReaderTools): Promise<ReadWorkbook> {
  const { order } = tools;
  const sheets = listSheets(workbook);
  const choice: SheetChoice = {
    wanted: order.sheet,
    file: order.file,
    contentOf: async ({ name }) => contentOf(workbook, name),
  };
  if (order.isList === true) {
    return { sheet: "", facts: toListFacts(await listFilledSheets(sheets, choice)) };
  }
  const { listed, leftOutSheets } = await chooseSheet(sheets, choice);
  const facts = { ...writeRows(workbook, listed.name, tools), leftOutSheets };
  const meta = readMeta(workbook, findMetaSheet(sheets));
  return { sheet: listed.name, facts, ...(meta !== undefined && { meta }) };
}

function contentOf(workbook: WorkBook, name: string): SheetContent {
  const content = createSheetContent();
  for (const { cells } of rowsOf(workbook, name)) content.add(cells);
  return content.content();
}

function readMeta(workbook: WorkBook, listed: ListedSheet | undefined): MetaLines | undefined {
  if (listed?.part === undefined) return undefined;
  const { add, lines } = createMetaCollector();
  for (const row of rowsOf(workbook, listed.name)) add(row);
  return lines();
}

function compoundFile(source: ByteSource, file: string): Buffer {
  const bytes = source.read(0, source.sizeBytes);
  if (!bytes.includes(ENCRYPTED_PART)) return bytes;
  throw new SheetError("E_FILE_TYPE", { file, hint: "password" });
}

/** Code page of texts in workbooks that state none, which only versions before 97 may do. */
const USUAL_CODE_PAGE = 1254;

type XlsLibrary = Pick<typeof Library, "read"> & { readonly CFB: CompoundFiles };

/** The library and its tables of the old code pages, which its ES module lacks. */
async function loadLibrary(): Promise<XlsLibrary> {
  const [library, codePages] = await Promise.all([
    import("@e965/xlsx"),
    import("@e965/xlsx/dist/cpexcel.full.mjs"),
  ]);
  library.set_cptable(codePages);
  return library;
}

/** Parses the file; this format ends at row 65,536, so the limit of the file's size is enough. */
async function parse(content: Buffer | string, { file }: ReaderOrder): Promise<WorkBook> {
  const library = await loadLibrary();
  try {
    return readWith(library, content);
  } catch (error) {
    const isLocked = error instanceof Error && /password|encrypt/i.test(error.message);
    if (isLocked) throw new SheetError("E_FILE_TYPE", { file, hint: "password" }, { cause: error });
    return readRepaired(library, content, { file, error });
  }
}

const readWith = (library: XlsLibrary, content: Buffer | string): WorkBook =>
  library.read(content, {
    type: typeof content === "string" ? "string" : "buffer",
    raw: true,
    codepage: USUAL_CODE_PAGE,
    password: DEFAULT_PASSWORD,
    dense: true,
    cellNF: true,
    cellText: false,
    cellHTML: false,
  });

/** Reads a workbook that the library cannot read, without what is no part of its cells. */
function readRepaired(
  library: XlsLibrary,
  content: Buffer | string,
  { file, error }: { readonly file: string; readonly error: unknown },
): WorkBook {
  const stream = typeof content === "string" ? undefined : findXlsStream(library.CFB, content);
  if (stream?.isEncrypted() === true) {
    throw new SheetError("E_FILE_TYPE", { file, hint: "password" }, { cause: error });
  }
  try {
    const repaired = stream?.withoutDefinedNames();
    if (repaired !== undefined) return readWith(library, repaired);
  } catch {
    // The first failure says more.
  }
  throw new SheetError("E_FILE_DAMAGED", { file }, { cause: error });
}

/** Whether a sheet is neither a chart, a dialog nor a list of macros. */
const isTable = (sheet: WorkSheet | undefined): boolean =>
  sheet !== undefined && (sheet["!type"] ?? "sheet") === "sheet";

function listSheets(workbook: WorkBook): readonly ListedSheet[] {
  return workbook.SheetNames.map((name, index) => ({
    name,
    position: index + 1,
    isVisible: (workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0) === 0,
    part: isTable(workbook.Sheets[name]) ? name : undefined,
  }));
}

function writeRows(workbook: WorkBook, name: string, tools: ReaderTools): SheetFacts {
  const { order, table, onRow, onPause } = tools;
  const { file, limits, maxRows } = order;
  const sheet = workbook.Sheets[name];
  const facts = createSheetFacts();
  const writer = createRowWriter(table);
  let count = 0;
  for (const row of rowsOf(workbook, name)) {
    count += 1;
    if (count > maxRows) throw new SheetError("E_TOO_MANY_ROWS", { file, limit: limits.rows });
    checkRow(row, order);
    writer.write(row);
    facts.row(writer, sheet?.["!rows"]?.[row.row - 1]?.hidden === true);
    onRow(writer);
    if (count % limits.columns === 0) onPause();
  }
  return withLayout(facts.result(), sheet);
}

function checkRow({ row, cells }: SheetRow, { file, limits }: ReaderOrder): void {
  if (cells.length > limits.columns) {
    throw new SheetError("E_TOO_MANY_COLUMNS", { file, row, limit: limits.columns });
  }
  const long = cells.findIndex(
    (cell) => typeof cell === "string" && cell.length > limits.cellChars,
  );
  if (long === -1) return;
  throw new SheetError("E_CELL_TOO_LONG", { file, row, column: long + 1, limit: limits.cellChars });
}

const withLayout = (facts: SheetFacts, sheet: WorkSheet | undefined): SheetFacts => ({
  ...facts,
  mergedRows: (sheet?.["!merges"] ?? []).map(({ e }) => e.r + 1),
  hiddenColumns: (sheet?.["!cols"] ?? []).flatMap((column, index) =>
    column?.hidden === true ? [index + 1] : [],
  ),
});

function* rowsOf(workbook: WorkBook, name: string): Generator<SheetRow> {
  const rows: unknown = workbook.Sheets[name]?.["!data"];
  const isDate1904 = workbook.Workbook?.WBProps?.date1904 === true;
  if (!Array.isArray(rows)) return;
  // The rows may have gaps, which `entries` returns as undefined.
  for (const [index, row] of rows.entries()) {
    const cells: unknown = row;
    const read = Array.isArray(cells) ? toRow(index + 1, cells, isDate1904) : undefined;
    if (read !== undefined) yield read;
  }
}

function toRow(row: number, source: readonly unknown[], isDate1904: boolean): SheetRow | undefined {
  const cells: CellValue[] = [];
  const traits: Record<number, CellTrait> = {};
  const formats: Record<number, string> = {};
  for (const [index, cell] of source.entries()) {
    const read = isCell(cell) ? toReadCell(cell, isDate1904) : undefined;
    if (read === undefined) continue;
    while (cells.length < index) cells.push(null);
    cells[index] = read.value;
    if (read.trait !== undefined) traits[index] = read.trait;
    if (read.format !== undefined) formats[index] = read.format;
  }
  if (cells.length === 0) return undefined;
  return {
    row,
    cells,
    ...(Object.keys(traits).length > 0 && { traits }),
    ...(Object.keys(formats).length > 0 && { formats }),
  };
}

const isCell = (cell: unknown): cell is CellObject =>
  typeof cell === "object" && cell !== null && "t" in cell;

const ERRORS: ReadonlyMap<unknown, string> = new Map([
  [0x00, "#NULL!"],
  [0x07, "#DIV/0!"],
  [0x0f, "#VALUE!"],
  [0x17, "#REF!"],
  [0x1d, "#NAME?"],
  [0x24, "#NUM!"],
  [0x2a, "#N/A"],
]);

function toReadCell(cell: CellObject, isDate1904: boolean): ReadCell | undefined {
  if (cell.t === "e") return { value: ERRORS.get(cell.v) ?? "#ERROR", trait: "error" };
  const read = toPlainCell(cell, isDate1904);
  const isFormula = typeof cell.f === "string";
  if (read === undefined) {
    return isFormula && cell.v === undefined ? { value: null, trait: "formula" } : undefined;
  }
  return isFormula && read.trait === undefined ? { ...read, trait: "formula" } : read;
}

function toPlainCell({ v, z }: CellObject, isDate1904: boolean): ReadCell | undefined {
  const format = typeof z === "string" ? parseNumberFormat(z) : undefined;
  if (typeof v === "number") return formatNumber(v, format, isDate1904);
  if (typeof v === "boolean") return { value: v };
  return typeof v === "string" && v !== "" ? { value: v, format: format?.textCode } : undefined;
}
