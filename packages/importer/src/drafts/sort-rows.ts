/** The rows of a draft by the cells of a column: numbers, then texts, and empty cells last. */

import { type CellValue, type ColumnNotation, readNumberCell } from "@catalog/mapping";

import { cellToText, type DraftSheet, readDraftRows } from "./draft-source.ts";
import type { DraftSort } from "./draft-views.ts";
import type { DraftRepository } from "./stored-draft.ts";

interface SortedRows {
  readonly drafts: Pick<DraftRepository, "readRows">;
  readonly sheet: Pick<DraftSheet, "draft" | "effective">;
  /** How the numbers of the column are written; `undefined` for a column of no numbers. */
  readonly notation: ColumnNotation | undefined;
}

/** What a cell is compared by. */
type SortKey = number | string | null;

/** Sorts the numbers of rows; equal cells stay in the order in which their rows are given. */
export async function sortRows(
  numbers: Uint32Array,
  { column, isDescending }: DraftSort,
  { drafts, sheet, notation }: SortedRows,
): Promise<Uint32Array> {
  const keys = new Map<number, SortKey>();
  for await (const rows of readDraftRows(drafts, sheet.draft)) {
    for (const row of rows) keys.set(row.row, toKey(sheet.effective(row).cells[column], notation));
  }
  const sign = isDescending ? -1 : 1;
  const { compare } = new Intl.Collator("tr", { numeric: true });
  const compareKeys = (a: SortKey, b: SortKey): number => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === "number") return typeof b === "number" ? sign * (a - b) : -sign;
    return sign * (typeof b === "number" ? 1 : compare(a, b));
  };
  return numbers.toSorted((a, b) => compareKeys(keys.get(a) ?? null, keys.get(b) ?? null));
}

function toKey(cell: CellValue | undefined, notation: ColumnNotation | undefined): SortKey {
  const text = cellToText(cell).trim();
  if (text === "") return null;
  return readNumberCell(cell ?? null, notation) ?? text;
}
