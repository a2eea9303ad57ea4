/**
 * The XML of a worksheet to rows, as it arrives. Rows and cells without an address follow the one
 * before; an address that contradicts its place is refused, because then nobody knows what is meant.
 */

import { type CellTrait, type CellValue, type SheetRow } from "../cell.ts";
import { type ReadLimits } from "../limits.ts";
import { SheetError, type SheetErrorCode, type SheetErrorDetails } from "../sheet-error.ts";
import { columnLetters, MAX_COLUMN, parseCellAddress, parseRowNumber } from "./cell-address.ts";
import { type CellSource, toCell, toNumber, type WorkbookFacts } from "./cell-value.ts";
import { createPlainCell, type PlainCell, readPlainCell, toInteger } from "./plain-markup.ts";
import { createSheetFacts, type SheetFacts } from "./sheet-facts.ts";
import {
  createXmlScanner,
  decodeEntities,
  parseAttributes,
  type XmlScanner,
} from "./xml-scanner.ts";

export interface WorksheetOptions {
  readonly file: string;
  /** How many rows with something in them there may be. */
  readonly maxRows: number;
  readonly limits: Pick<ReadLimits, "columns" | "cellChars">;
  readonly workbook: WorkbookFacts;
  readonly onRow: (row: SheetRow) => void;
}

export interface WorksheetReader {
  readonly scanner: XmlScanner;
  /** To be asked once the scanner has ended. */
  facts(): SheetFacts;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Takes the part of a worksheet through `scanner`, which throws a `SheetError` at what is refused. */
// oxlint-disable-next-line max-lines-per-function -- one state, shared by what each element does to it
export function createWorksheetReader(options: WorksheetOptions): WorksheetReader {
  const facts = createSheetFacts();
  const row = createRow(options);
  const cell: Mutable<CellSource> = { ...NO_CELL };
  let place: "none" | "value" | "inline" = "none";
  let phonetic = 0;

  const opened: Readonly<Record<string, (attributes: string) => void>> = {
    c(attributes) {
      Object.assign(cell, NO_CELL);
      readCellAttributes(attributes, cell);
      row.beginCell(cell.address);
    },
    v() {
      place = "value";
      cell.value = "";
    },
    t() {
      if (cell.type === "inlineStr" && phonetic === 0) place = "inline";
    },
    rPh: () => (phonetic += 1),
    f: () => (cell.isFormula = true),
    row: (attributes) => row.begin(parseAttributes(attributes)),
    col: (attributes) => facts.column(parseAttributes(attributes)),
    mergeCell: (attributes) => facts.merge(parseAttributes(attributes)),
  };
  const closed: Readonly<Record<string, () => void>> = {
    c: () => row.endCell(cell),
    v: () => (place = "none"),
    t: () => (place = "none"),
    rPh: () => (phonetic -= 1),
    row() {
      const { done, isHidden } = row.end();
      if (done === undefined) return;
      facts.row(done, isHidden);
      options.onRow(done);
    },
  };
  const plain = createPlainCell();
  const openers = new Map(Object.entries(opened));
  const closers = new Map(Object.entries(closed));
  const scanner = createXmlScanner({
    take(source, start) {
      const end = readPlainCell(source, start, plain);
      return end !== -1 && row.plainCell(source, plain) ? end : -1;
    },
    open: (name, attributes) => openers.get(name)?.(attributes),
    close: (name) => closers.get(name)?.(),
    text(text) {
      if (place === "none") return;
      const soFar = cell.value ?? "";
      if (soFar.length <= options.limits.cellChars) cell.value = soFar + text;
    },
  });
  return { scanner, facts: () => facts.result() };
}

const NO_CELL: CellSource = {
  address: undefined,
  style: 0,
  type: "n",
  isFormula: false,
  value: undefined,
};

const EQUALS = 61;

/** `r`, `s` and `t`, without building anything: this is done for every cell. */
function readCellAttributes(source: string, cell: Mutable<CellSource>): void {
  let at = 0;
  for (;;) {
    const equals = source.indexOf("=", at);
    if (equals === -1) return;
    const start = source.indexOf('"', equals);
    const end = start === -1 ? -1 : source.indexOf('"', start + 1);
    if (end === -1 || source.charCodeAt(equals) !== EQUALS || start !== equals + 1) {
      readRareAttributes(source, cell);
      return;
    }
    const name = source.slice(at, equals).trim();
    if (name === "r") cell.address = source.slice(start + 1, end);
    else if (name === "t") cell.type = source.slice(start + 1, end);
    else if (name === "s") cell.style = Number(source.slice(start + 1, end));
    at = end + 1;
  }
}

/** The same for single quotes and for blanks around the sign. */
function readRareAttributes(source: string, cell: Mutable<CellSource>): void {
  const attributes = parseAttributes(source);
  cell.address = attributes.get("r");
  cell.type = attributes.get("t") ?? "n";
  cell.style = Number(attributes.get("s") ?? 0);
}

interface RowBuilder {
  begin(attributes: ReadonlyMap<string, string>): void;
  beginCell(address: string | undefined): void;
  endCell(source: CellSource): void;
  /** Whether the cell can be where it says; if not, nothing was done. */
  plainCell(source: string, cell: PlainCell): boolean;
  end(): { readonly done: SheetRow | undefined; readonly isHidden: boolean };
}

// oxlint-disable-next-line max-lines-per-function -- one state, shared by four small functions
function createRow(options: WorksheetOptions): RowBuilder {
  const { file, limits, workbook, maxRows } = options;
  let number = 0;
  let column = 0;
  let filledRows = 0;
  let isHidden = false;
  let cells: CellValue[] = [];
  let traits: Record<number, CellTrait> | undefined;

  const refuse = (code: SheetErrorCode, details: SheetErrorDetails): SheetError =>
    new SheetError(code, { file, row: number, ...details });

  function begin(attributes: ReadonlyMap<string, string>): void {
    const given = attributes.get("r");
    const next = given === undefined ? number + 1 : parseRowNumber(given);
    if (next === undefined || next <= number) {
      throw refuse("E_ROW_RANGE", { row: number + 1, found: given ?? String(number + 1) });
    }
    number = next;
    column = 0;
    cells = [];
    traits = undefined;
    isHidden = ["1", "true"].includes(attributes.get("hidden") ?? "");
  }

  function plainCell(source: string, cell: PlainCell): boolean {
    if (cell.row !== number || cell.column > MAX_COLUMN) return false;
    column = cell.column;
    if (!cell.isShared) {
      const text = source.slice(cell.start, cell.end);
      put(toNumber(decodeEntities(text), workbook.formats[cell.style], workbook.isDate1904), text);
      return true;
    }
    const index = toInteger(source, cell.start, cell.end);
    const text = workbook.strings.get(index);
    if (text === undefined) put("wrong", String(index));
    else if (text !== "") putValue(text);
    return true;
  }

  function beginCell(address: string | undefined): void {
    if (address === undefined) {
      column += 1;
      return;
    }
    const place = parseCellAddress(address);
    if (place?.row !== number) throw refuse("E_CELL_REF", { found: address });
    column = place.column;
  }

  const endCell = (source: CellSource): void => put(toCell(source, workbook), String(source.value));

  function put(cell: ReturnType<typeof toCell>, text: string): void {
    if (cell === undefined) return;
    if (cell === "wrong") throw refuse("E_CELL_VALUE", { column, found: text });
    putValue(cell.value);
    if (cell.trait !== undefined) traits = { ...traits, [column - 1]: cell.trait };
  }

  function putValue(value: CellValue): void {
    if (column > limits.columns) throw refuse("E_TOO_MANY_COLUMNS", { limit: limits.columns });
    if ((cells[column - 1] ?? null) !== null) {
      throw refuse("E_CELL_REF", { found: `${columnLetters(column)}${number}` });
    }
    if (typeof value === "string" && value.length > limits.cellChars) {
      throw refuse("E_CELL_TOO_LONG", { column, limit: limits.cellChars });
    }
    while (cells.length < column - 1) cells.push(null);
    cells[column - 1] = value;
  }

  return {
    begin,
    beginCell,
    endCell,
    plainCell,
    end() {
      if (cells.length === 0) return { done: undefined, isHidden };
      filledRows += 1;
      if (filledRows > maxRows) throw refuse("E_TOO_MANY_ROWS", { limit: maxRows });
      const done = { row: number, cells, ...(traits !== undefined && { traits }) };
      return { done, isHidden };
    },
  };
}
