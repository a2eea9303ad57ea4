/**
 * Fits the rows of a CSV file to its header: a short row lacks empty cells at its end, and
 * additional empty cells are left out. Rows that a line break within a text has split stay as they
 * are.
 */

import { isBlank, type SheetRow } from "../cell.ts";

/** Number of following rows that may belong to a split row. */
const MAX_FOLLOWING = 8;

/**
 * Excel decides per block of this many rows how many empty cells at the end of rows it writes
 * (Microsoft KB 77295); the header is in the first block, whose rows are thus complete.
 */
const BLOCK_ROWS = 16;

interface WaitingRow {
  readonly row: SheetRow;
  isKept: boolean;
}

export interface RowWidth {
  /** Number of cells of the header. */
  readonly width: number;
  /** Whether the last row of the file is complete; otherwise it is not filled up. */
  readonly isComplete: boolean;
}

/** Returns the rows with `width` cells each, but those whose cells may be in wrong columns. */
export async function* fitRows(
  batches: AsyncIterable<Iterable<SheetRow>>,
  { width, isComplete }: RowWidth,
): AsyncGenerator<Iterable<SheetRow>> {
  const waiting: WaitingRow[] = [];
  const state = { previous: width, hasSplit: false };

  const take = (): SheetRow | undefined => {
    const first = waiting[0];
    if (first === undefined) return undefined;
    markSplit(waiting, width, state);
    waiting.shift();
    state.previous = first.row.cells.length;
    return first.isKept ? first.row : fit(first.row, width);
  };
  function* fitted(batch: Iterable<SheetRow>): Generator<SheetRow> {
    for (const row of batch) {
      if (waiting.length === 0 && row.cells.length >= width) {
        state.previous = width;
        yield fit(row, width);
        continue;
      }
      waiting.push({ row, isKept: false });
      if (waiting.length <= MAX_FOLLOWING) continue;
      const done = take();
      if (done !== undefined) yield done;
    }
  }
  function* rest(): Generator<SheetRow> {
    const last = waiting.at(-1);
    if (last !== undefined && !isComplete) last.isKept ||= last.row.cells.length < width;
    for (let done = take(); done !== undefined; done = take()) yield done;
  }

  for await (const batch of batches) yield fitted(batch);
  yield rest();
}

/** A row of one cell has no delimiter at all, and is rather a remark or the rest of a text. */
function fit(row: SheetRow, width: number): SheetRow {
  const { cells } = row;
  const count = cells.length;
  if (count === width || (count === 1 && width > 1)) return row;
  if (count > width) {
    return cells.slice(width).every(isBlank) ? { ...row, cells: cells.slice(0, width) } : row;
  }
  return { ...row, cells: [...cells, ...Array.from({ length: width - count }, () => null)] };
}

interface RowsSoFar {
  /** Number of cells of the row before. */
  previous: number;
  /** Whether rows were found that a line break has split. */
  hasSplit: boolean;
}

/**
 * Marks the first waiting row and those after it where together they have exactly the delimiters of
 * one row and do not look alike, unless they are as short as rows of Excel are.
 */
function markSplit(waiting: readonly WaitingRow[], width: number, state: RowsSoFar): void {
  if (waiting[0]?.isKept === true) return;
  const count = countHalves(waiting, width);
  if (count === 0) return;
  const rows = waiting.slice(0, count).map(({ row }) => row);
  if (areAlike(rows) || (!state.hasSplit && isExcelBlock(waiting, count, state.previous))) return;
  state.hasSplit = true;
  for (const entry of waiting.slice(0, count)) entry.isKept = true;
}

/** Number of first rows that together have exactly the delimiters of one row; zero for none. */
function countHalves(waiting: readonly WaitingRow[], width: number): number {
  let delimiters = 0;
  for (const [index, { row }] of waiting.entries()) {
    if (row.cells.length >= width) return 0;
    delimiters += row.cells.length - 1;
    if (delimiters >= width - 1) return delimiters === width - 1 ? index + 1 : 0;
  }
  return 0;
}

/** Whether each of the first rows has as many cells as a neighbour in its own block. */
function isExcelBlock(waiting: readonly WaitingRow[], count: number, previous: number): boolean {
  const rows = waiting.map(({ row }) => row);
  return rows.slice(0, count).every(({ row, cells }, index) => {
    const before = index === 0 ? previous : rows[index - 1]?.cells.length;
    const after = rows[index + 1];
    const isFirst = (row - 1) % BLOCK_ROWS === 0;
    const isLast = row % BLOCK_ROWS === 0;
    const isLikeBefore = !isFirst && before === cells.length;
    const isLikeAfter = !isLast && after?.cells.length === cells.length;
    return row > BLOCK_ROWS && (isLikeBefore || isLikeAfter);
  });
}

/** Whether the rows have codes of one kind in their first cells and numbers in the same columns. */
function areAlike(rows: readonly SheetRow[]): boolean {
  const [first, ...others] = rows.map(({ cells }) => cells.map((cell) => String(cell ?? "")));
  return others.every((cells) =>
    cells.every((text, index) => {
      const other = first?.[index] ?? "";
      if (index === 0) return kindOf(text) === kindOf(other);
      return text === "" || other === "" || NUMBER.test(text) === NUMBER.test(other);
    }),
  );
}

const NUMBER = /^[\d\s.,+-]+$/u;

const kindOf = (text: string): string => `${/\d/u.test(text)} ${/\s/u.test(text)}`;
