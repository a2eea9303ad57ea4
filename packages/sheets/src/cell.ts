/** What a row is once it has left its file, whichever kind of file that was. */

/** The value of one cell. `null` is an empty cell; a cell is never an empty text. */
export type CellValue = string | number | boolean | null;

/**
 * What the value alone does not tell: a `date` is given as ISO text, an `error` as Excel's own text
 * (`#N/A`), and a `formula` as the result that was stored with it, which may be missing.
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
   * Number formats as Excel stores them (`"TR"0000`, `0%`), by index in `cells`, for cells whose
   * content is not text, and for a text that its format shows as more or less than itself
   * (`@" adet"`). Left out for cells in format General, for dates, where the digits of the format are
   * in the value already, and when no cell has one.
   */
  readonly formats?: Readonly<Record<number, string>>;
}

/** Whether nobody would see anything in this cell. */
export const isBlank = (value: CellValue): boolean =>
  value === null || (typeof value === "string" && value.trim() === "");

/** Whether a row holds nothing at all. A formula without a stored result is something. */
export const isEmptyRow = (row: SheetRow): boolean =>
  row.traits === undefined && row.cells.every(isBlank);
