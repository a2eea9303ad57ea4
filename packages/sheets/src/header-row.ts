/** Which row of a sheet names its columns. */

import { isBlank, isEmptyRow, type SheetRow } from "./cell.ts";

/** Headers are looked for among the first this many rows; a report may begin with a title. */
export const HEADER_SEARCH_ROWS = 15;

/**
 * The header row: `wanted` if that row has something in it, else the first row with at least two
 * filled cells among the first `HEADER_SEARCH_ROWS`, else the first row with anything in it.
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
