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
  /** What the row takes from other rows of its product. @default nothing */
  readonly joined?: JoinedCells | undefined;
}

/** What a row takes from other rows of its product, as the mapping package found it. */
export interface JoinedCells {
  readonly role: "product" | "variant" | "parent" | "image" | "lost";
  /** By column index; they stand in place of the row's own cells. */
  readonly cells?: Readonly<Record<number, JoinedCell>>;
  /** All images of the row in their order, its own ones included. */
  readonly images?: readonly JoinedImage[];
  readonly reason?: "missing" | "apart" | "ambiguous" | "broken" | "many";
  /** The first row of the product; of a lost row the one that may be it. */
  readonly parentRow?: number;
}

/** A cell of another row. */
export interface JoinedCell {
  readonly row: number;
  readonly value: CellValue;
  readonly trait?: CellTrait | undefined;
  readonly format?: string | undefined;
}

/** A cell with images. */
export interface JoinedImage {
  readonly row: number;
  readonly index: number;
  readonly value: CellValue;
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
  /**
   * All its rows have the same cells and number formats and take the same from other rows, so that
   * one can stand for all.
   */
  readonly identical: boolean;
}
