/** What a sheet holds, as far as the choice among several sheets needs it. */

import { type CellValue, isBlank } from "../../cell.ts";
import { HEADER_SEARCH_ROWS } from "../../header-row.ts";

export interface SheetContent {
  /** Number of rows with content, counted up to `MAX_COUNTED_ROWS`. */
  readonly rows: number;
  /** Texts of the first rows with content, without empty cells. */
  readonly head: readonly (readonly string[])[];
}

/** A sheet with content that was not read. */
export interface LeftOutSheet extends SheetContent {
  readonly name: string;
}

export interface SheetContentCollector {
  add(cells: readonly CellValue[]): void;
  /** Whether further rows would change nothing. */
  isFull(): boolean;
  content(): SheetContent;
}

/** Counting further rows would only take time. */
export const MAX_COUNTED_ROWS = 10_000;

export function createSheetContent(): SheetContentCollector {
  const head: (readonly string[])[] = [];
  let rows = 0;
  return {
    add(cells) {
      const filled = cells.filter((cell) => !isBlank(cell));
      if (filled.length === 0 || rows >= MAX_COUNTED_ROWS) return;
      rows += 1;
      if (head.length < HEADER_SEARCH_ROWS) head.push(filled.map((cell) => String(cell).trim()));
    },
    isFull: () => rows >= MAX_COUNTED_ROWS,
    content: () => ({ rows, head }),
  };
}

/** Whether a sheet has a row with at least half of these headers, and rows below it. */
export function hasHeaders({ head, rows }: SheetContent, header: readonly CellValue[]): boolean {
  const wanted = new Set(
    header.filter((cell) => !isBlank(cell)).map((cell) => String(cell).trim()),
  );
  const shared = (texts: readonly string[]): number =>
    new Set(texts.filter((text) => wanted.has(text))).size;
  const index = head.findIndex((texts) => shared(texts) >= 2 && shared(texts) * 2 >= wanted.size);
  return index !== -1 && rows > index + 1;
}
