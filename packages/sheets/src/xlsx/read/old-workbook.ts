/**
 * Reads old workbooks (`.xls`) and tables of HTML and XML under such a name. The library reads the
 * whole file at once, so the limits of the process around it protect the machine.
 */

import type * as Library from "@e965/xlsx";
import type { CellObject, WorkBook, WorkSheet } from "@e965/xlsx";

import type { CellTrait, CellValue, SheetRow } from "../../cell.ts";
import { OLD_WORKBOOK } from "../../file-kind.ts";
import { SheetError } from "../../sheet-error.ts";
import { createMetaCollector, findMetaSheet, type MetaLines } from "../meta-sheet.ts";
import type { ByteSource } from "../zip/zip-directory.ts";
import { type ReadCell, formatNumber } from "./cell-value.ts";
import { readMarkupText } from "./markup-table.ts";
import { parseNumberFormat } from "./number-formats.ts";
import type { ReaderOrder } from "./process/reader-protocol.ts";
import { createRowWriter } from "./process/row-frame.ts";
import { chooseSheet, listFilledSheets, type SheetChoice } from "./sheet-choice.ts";
import { createSheetContent, type SheetContent } from "./sheet-content.ts";
import { createSheetFacts, type SheetFacts, toListFacts } from "./sheet-facts.ts";
import type { ListedSheet } from "./workbook-parts.ts";
import type { ReaderTools, ReadWorkbook } from "./workbook-reader.ts";
import { type CompoundFiles, findXlsStream } from "./xls-stream.ts";

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
    // The first failure tells more.
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
