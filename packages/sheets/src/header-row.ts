/** Finds the row of a sheet that names its columns. */

import { type CellValue, isBlank, isEmptyRow, type SheetRow } from "./cell.ts";

/** Number of rows in which the header is searched; a report may begin with a title. */
export const HEADER_SEARCH_ROWS = 15;

/** Counts the headers among these cells that the caller knows; zero for a row of machine keys. */
export type CountKnownHeaders = (cells: readonly CellValue[]) => number;

/** Minimum number of known headers that make a row the header although it is not the first. */
const MIN_KNOWN = 2;

/** What the user and the caller know about the header. */
export interface HeaderSearch {
  readonly wanted?: number | undefined;
  /** @default no header is known */
  readonly countKnown?: CountKnownHeaders | undefined;
}

/**
 * The header row: `wanted` if that row has content, else the one row among the first
 * `HEADER_SEARCH_ROWS` with most known headers. Where none has at least two, or several have as
 * many, it is the first row with at least two filled cells, else the first row with content.
 */
export async function findHeader(
  rows: AsyncIterable<SheetRow>,
  { wanted, countKnown }: HeaderSearch = {},
): Promise<SheetRow | undefined> {
  if (wanted !== undefined) return await rowNumbered(rows, wanted);
  const first = await readFirst(rows);
  return findBestKnown(first, countKnown) ?? guessHeader(first);
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

/** The first row with content and all rows with content of the searched ones. */
async function readFirst(rows: AsyncIterable<SheetRow>): Promise<readonly SheetRow[]> {
  const first: SheetRow[] = [];
  for await (const row of rows) {
    if (first.length > 0 && row.row > HEADER_SEARCH_ROWS) break;
    if (!isEmptyRow(row)) first.push(row);
  }
  return first;
}

function findBestKnown(
  rows: readonly SheetRow[],
  countKnown: CountKnownHeaders = () => 0,
): SheetRow | undefined {
  const counts = rows.map(({ cells }) => countKnown(cells));
  const best = Math.max(0, ...counts);
  const [header, ...others] = rows.filter((_, index) => counts[index] === best);
  if (header === undefined || best < MIN_KNOWN) return undefined;
  // A report may repeat its headers.
  const isSame = ({ cells }: SheetRow): boolean => String(cells) === String(header.cells);
  return others.every(isSame) ? header : undefined;
}

const guessHeader = (rows: readonly SheetRow[]): SheetRow | undefined =>
  rows.find(({ row, cells }) => row <= HEADER_SEARCH_ROWS && hasTwo(cells)) ?? rows[0];

const hasTwo = (cells: readonly CellValue[]): boolean =>
  cells.filter((cell) => !isBlank(cell)).length >= 2;
