import type { SourceRow } from "../rows/source-row.ts";

/** Joins the rows of one sheet. Rows leave in the order in which they came, each once. */
export interface RowJoiner {
  /** Takes the next row; returns the rows that are complete now. */
  push(row: JoinableRow): Promise<readonly SourceRow[]>;
  /** Returns the rows that waited for further ones. */
  finish(): readonly SourceRow[];
}

export interface JoinableRow {
  readonly row: SourceRow;
  /** Whether its cells stand in their columns; other rows take nothing from a row that is not. */
  readonly isWhole: boolean;
}

export interface RowJoinerOptions {
  /** Makes a list of row numbers by text; a text that has a number keeps it. */
  readonly createRowList: () => RowList;
  /** Reads a row that has left. */
  readonly readRow: (row: number) => Promise<SourceRow | undefined>;
}

/** Row numbers by text. */
export interface RowList {
  get(text: string): number | undefined;
  set(text: string, row: number): void;
}
