/**
 * Looks through the XML of a sheet before anything is built from it: how far it reaches, and which
 * cells are errors or formulas, which the reading library does not tell.
 */

import { type CellTrait } from "../cell.ts";
import { SheetError } from "../sheet-error.ts";

/** What Excel itself can number. */
const MAX_ROW = 1_048_576;

const TAG = /<(?:[\w-]+:)?(row|c)(\s[^>]*)?>/g;
const ADDRESS = /\sr=["']([A-Z]+)(\d+)["']/;
const ROW_NUMBER = /\sr=["'](\d+)["']/;
const IS_ERROR = /\st=["']e["']/;
const FORMULA = /^<(?:[\w-]+:)?f[\s/>]/;
const VALUE = /<(?:[\w-]+:)?v>([^<]*)</y;
const NEXT_VALUE = /<(?:[\w-]+:)?v[\s>]|<\/(?:[\w-]+:)?c>/g;
const CONTENT = /<(?:[\w-]+:)?(?:v|is|f)[\s/>]/;
/** How much of a cell is looked at to see whether a formula begins there. */
const TAG_CHARS = 24;

export interface ScanOptions {
  readonly file: string;
  /** Rows with something in them. */
  readonly maxRows: number;
  readonly maxColumns: number;
}

/** A cell that is more than its value. */
export interface MarkedCell {
  readonly trait: CellTrait;
  /** Excel's name of the error. */
  readonly error?: string;
}

/** By row number, then by index in the row. */
export type CellMarks = ReadonlyMap<number, ReadonlyMap<number, MarkedCell>>;

/** Whether any cell of the sheet holds something. */
export const hasCellContent = (xml: string): boolean => CONTENT.test(xml);

/** Throws a `SheetError` if the sheet passes a limit or its rows are not in order. */
export function scanSheet(xml: string, options: ScanOptions): CellMarks {
  const marks = new Map<number, Map<number, MarkedCell>>();
  let row = 0;
  let filledRows = 0;
  let lastFilled = 0;
  for (const match of xml.matchAll(TAG)) {
    const attributes = match[2] ?? "";
    if (match[1] === "row") {
      row = nextRow(attributes, row, options);
      continue;
    }
    if (attributes.endsWith("/")) continue;
    if (lastFilled !== row) {
      lastFilled = row;
      filledRows += 1;
      if (filledRows > options.maxRows) throw tooManyRows(options);
    }
    const column = columnOf(attributes, row, options);
    const mark = markOf(xml, match.index + match[0].length, attributes);
    if (mark !== undefined) marks.set(row, (marks.get(row) ?? new Map()).set(column - 1, mark));
  }
  return marks;
}

function nextRow(attributes: string, previous: number, options: ScanOptions): number {
  const row = Number(ROW_NUMBER.exec(attributes)?.[1] ?? previous + 1);
  if (row > previous && row <= MAX_ROW) return row;
  throw new SheetError("E_FILE_UNSAFE", { file: options.file, found: `row number ${row}` });
}

const tooManyRows = (options: ScanOptions): SheetError =>
  new SheetError("E_TOO_MANY_ROWS", { file: options.file, limit: options.maxRows });

function columnOf(attributes: string, row: number, options: ScanOptions): number {
  const [, letters = "", digits] = ADDRESS.exec(attributes) ?? [];
  if (digits !== String(row) || letters.length > 3) {
    const found = `cell ${letters}${digits ?? "without an address"} in row ${row}`;
    throw new SheetError("E_FILE_UNSAFE", { file: options.file, found });
  }
  let column = 0;
  for (const letter of letters) column = column * 26 + (letter.charCodeAt(0) - 64);
  if (column <= options.maxColumns) return column;
  throw new SheetError("E_TOO_MANY_COLUMNS", {
    file: options.file,
    row,
    limit: options.maxColumns,
  });
}

function markOf(xml: string, at: number, attributes: string): MarkedCell | undefined {
  if (IS_ERROR.test(attributes)) return { trait: "error", error: valueAt(xml, at) };
  const isFormula = FORMULA.test(xml.slice(at, at + TAG_CHARS).trimStart());
  return isFormula ? { trait: "formula" } : undefined;
}

function valueAt(xml: string, at: number): string {
  NEXT_VALUE.lastIndex = at;
  VALUE.lastIndex = NEXT_VALUE.exec(xml)?.index ?? at;
  return VALUE.exec(xml)?.[1] ?? "#ERROR";
}
