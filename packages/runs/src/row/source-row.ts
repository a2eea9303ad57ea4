/** A row as in the sheet, and as it enters the journal. */

/** What a reader knows of a cell beyond its value. */
export type CellTrait = "date" | "error" | "formula";

/** Value of a cell; `null` is an empty cell. */
export type CellValue = string | number | boolean | null;

/** A row as in the sheet. */
export interface SourceRow {
  /** Row number as the spreadsheet program shows it. */
  readonly row: number;
  readonly cells: readonly CellValue[];
  /** What the reader knows of a cell beyond its value, by column index. */
  readonly traits?: Readonly<Record<number, CellTrait>> | undefined;
  /** Number formats of cells that are not text, as Excel stores them, by column index. */
  readonly formats?: Readonly<Record<number, string>> | undefined;
}

/** The product code of a row. */
export interface RowCode {
  readonly row: number;
  /** The code as in the sheet. */
  readonly code: string | null;
  /** The folded code: rows with the same key are for the same product. */
  readonly codeKey: string | null;
}

/** A row that is to be appended to the journal, with its product code. */
export interface ParsedRow extends SourceRow, RowCode {}

/** A product code that occurs on several rows of one file. */
export interface DuplicateCode {
  /** In the order of the sheet. */
  readonly rows: readonly number[];
  /** All its rows have the same cells and number formats, so that one can stand for all. */
  readonly identical: boolean;
}
