/** Rows as all readers return them, whatever the kind of file. */

/** The value of one cell. `null` is an empty cell; a cell is never an empty text. */
export type CellValue = string | number | boolean | null;

/**
 * Facts beyond the value: a `date` is given as ISO text, an `error` as Excel's own text (`#N/A`),
 * and a `formula` as its stored result, which may be missing.
 */
export type CellTrait = "date" | "error" | "formula";

/** One row of a sheet. */
export interface SheetRow {
  /** The number that Excel shows beside the row, from 1. In a CSV file records count, not lines. */
  readonly row: number;
  readonly cells: readonly CellValue[];
  /** By index in `cells`; left out when no cell has one. */
  readonly traits?: Readonly<Record<number, CellTrait>>;
  /**
   * Number formats as Excel stores them (`"TR"0000`, `0%`), by index in `cells`: of cells that are
   * not text, and of texts that their format displays as more or less than the text (`@" adet"`).
   * Left out for cells in format General, for dates, whose digits are in the value already, and
   * when no cell has one.
   */
  readonly formats?: Readonly<Record<number, string>>;
}

/** Blanks and invisible marks only. */
const INVISIBLE = /^[\s\u00ad\u200b-\u200f\u2060]*$/u;

/** Whether a cell displays nothing. */
export const isBlank = (value: CellValue): boolean =>
  value === null || (typeof value === "string" && INVISIBLE.test(value));

/** Whether a row holds nothing. A formula without a stored result counts as content. */
export const isEmptyRow = (row: SheetRow): boolean =>
  row.traits === undefined && row.cells.every(isBlank);
