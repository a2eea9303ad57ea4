/** Finds the row of a sheet that names its columns. */

import { isBlank, isEmptyRow, type SheetRow } from "./cell.ts";

/** Number of rows in which the header is searched; a report may begin with a title. */
export const HEADER_SEARCH_ROWS = 15;

/**
 * The header row: `wanted` if that row has content, else the first row with at least two filled
 * cells among the first `HEADER_SEARCH_ROWS`, else the first row with content.
 */
export async function findHeader(
  rows: AsyncIterable<SheetRow>,
  wanted?: number,
): Promise<SheetRow | undefined> {
  return wanted === undefined ? await guessHeader(rows) : await rowNumbered(rows, wanted);
}

async function rowNumbered(
  rows: AsyncIterable<SheetRow>,
  wanted: number,
): Promise<SheetRow | undefined> {
  for await (const row of rows) {
    if (row.row === wanted && !isEmptyRow(row)) return row;
    if (row.row >= wanted) return undefined;
  }
  return undefined;
}

async function guessHeader(rows: AsyncIterable<SheetRow>): Promise<SheetRow | undefined> {
  let first: SheetRow | undefined;
  for await (const row of rows) {
    if (isEmptyRow(row)) continue;
    if (first !== undefined && row.row > HEADER_SEARCH_ROWS) return first;
    if (row.cells.filter((cell) => !isBlank(cell)).length >= 2) return row;
    first ??= row;
  }
  return first;
}
