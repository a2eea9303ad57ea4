/**
 * Joins the rows of products with variants: each variant takes the values that only its parent has.
 * A row whose parent is not certain takes nothing and is marked as lost.
 */

import type { ColumnMapping } from "../columns/map-columns.ts";
import type { SourceRow } from "../rows/source-row.ts";
import { createGroupJoiner } from "./group-joiner.ts";
import { createReferenceJoiner } from "./reference-joiner.ts";
import { findVariantColumns } from "./variant-columns.ts";

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

/** `undefined` for a sheet in which every row is a product by itself. */
export function createRowJoiner(
  mapping: Pick<ColumnMapping, "columns" | "platform">,
  options: RowJoinerOptions,
): RowJoiner | undefined {
  const columns = findVariantColumns(mapping);
  if (columns === undefined) return undefined;
  const { rows } = columns;
  return rows.kind === "grouped"
    ? createGroupJoiner(mapping, { ...columns, rows }, options)
    : createReferenceJoiner(mapping, { ...columns, rows }, options);
}
