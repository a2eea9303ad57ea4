/** What is worth saying of a sheet as a whole: what is merged and what is hidden. */

import { type SheetRow } from "../cell.ts";
import { MAX_COLUMN, parseCellAddress } from "./cell-address.ts";
import { isTrue } from "./workbook-parts.ts";

/** Row numbers as Excel shows them, columns from 1; the lists end after `MOST_LISTED`. */
export interface SheetFacts {
  /** The last row of each merged block. */
  readonly mergedRows: readonly number[];
  /** The hidden rows that have something in them. */
  readonly hiddenRows: readonly number[];
  /** The hidden columns that have something in them. */
  readonly hiddenColumns: readonly number[];
}

export const NO_FACTS: SheetFacts = { mergedRows: [], hiddenRows: [], hiddenColumns: [] };

/** Enough to say how many; a file with more says "at least". */
const MOST_LISTED = 100_000;

export interface SheetFactsCollector {
  column(attributes: ReadonlyMap<string, string>): void;
  merge(attributes: ReadonlyMap<string, string>): void;
  row(row: SheetRow, isHidden: boolean): void;
  result(): SheetFacts;
}

export function createSheetFacts(): SheetFactsCollector {
  const mergedRows: number[] = [];
  const hiddenRows: number[] = [];
  const hidden: boolean[] = [];
  const used: boolean[] = [];
  return {
    column(attributes) {
      if (!isTrue(attributes.get("hidden"))) return;
      const last = Math.min(Number(attributes.get("max")), MAX_COLUMN);
      for (let at = Math.max(1, Number(attributes.get("min"))); at <= last; at += 1)
        hidden[at] = true;
    },
    merge(attributes) {
      const last = parseCellAddress(attributes.get("ref")?.split(":").at(-1) ?? "");
      if (last !== undefined && mergedRows.length < MOST_LISTED) mergedRows.push(last.row);
    },
    row({ row, cells }, isHidden) {
      if (isHidden && hiddenRows.length < MOST_LISTED) hiddenRows.push(row);
      for (let at = used.length; at < cells.length; at += 1) used[at] = false;
      if (hidden.length === 0) return;
      for (const [index, cell] of cells.entries()) if (cell !== null) used[index] = true;
    },
    result: () => ({
      mergedRows,
      hiddenRows,
      hiddenColumns: used.flatMap((isUsed, index) =>
        isUsed && hidden[index + 1] === true ? [index + 1] : [],
      ),
    }),
  };
}
