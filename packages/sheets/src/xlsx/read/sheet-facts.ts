/** Facts about a sheet as a whole: merged cells and hidden rows and columns. */

import { MAX_COLUMN, parseCellAddress } from "../cell-address.ts";
import type { LeftOutSheet } from "./sheet-content.ts";
import { isTrue } from "./workbook-parts.ts";

/**
 * Row numbers as Excel shows them, columns from 1; the lists hold at most `MAX_LISTED` entries.
 */
export interface SheetFacts {
  /** The last row of each merged block. */
  readonly mergedRows: readonly number[];
  /** Hidden rows with content. */
  readonly hiddenRows: readonly number[];
  /** Hidden columns with content. */
  readonly hiddenColumns: readonly number[];
  /** Number of rows with content. */
  readonly filledRows: number;
  /** Number of the last row with content; 0 for an empty sheet. */
  readonly lastRow: number;
  /** Other sheets with content that were not read. */
  readonly leftOutSheets?: readonly LeftOutSheet[];
}

/** Maximum length of the lists; a notice then says "at least". */
const MAX_LISTED = 100_000;

/** The facts of a workbook whose sheets are only listed. */
export const toListFacts = (sheets: readonly LeftOutSheet[]): SheetFacts => ({
  mergedRows: [],
  hiddenRows: [],
  hiddenColumns: [],
  filledRows: 0,
  lastRow: 0,
  leftOutSheets: sheets,
});

/** The facts that are needed of a row. */
interface SeenRow {
  row(): number;
  /** Number of cells up to the last one. */
  size(): number;
  /** Columns count from 1. */
  isFilled(column: number): boolean;
}

export interface SheetFactsCollector {
  column(attributes: ReadonlyMap<string, string>): void;
  merge(attributes: ReadonlyMap<string, string>): void;
  row(row: SeenRow, isHidden: boolean): void;
  result(): SheetFacts;
}

export function createSheetFacts(): SheetFactsCollector {
  const mergedRows: number[] = [];
  const hiddenRows: number[] = [];
  const hidden: boolean[] = [];
  let filledRows = 0;
  let lastRow = 0;
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
      if (last !== undefined && mergedRows.length < MAX_LISTED) mergedRows.push(last.row);
    },
    row(row, isHidden) {
      filledRows += 1;
      lastRow = row.row();
      if (isHidden && hiddenRows.length < MAX_LISTED) hiddenRows.push(row.row());
      for (let at = used.length; at < row.size(); at += 1) used[at] = false;
      if (hidden.length === 0) return;
      for (let at = 0; at < row.size(); at += 1) if (row.isFilled(at + 1)) used[at] = true;
    },
    result: () => ({
      filledRows,
      lastRow,
      mergedRows,
      hiddenRows,
      hiddenColumns: used.flatMap((isUsed, index) =>
        isUsed && hidden[index + 1] === true ? [index + 1] : [],
      ),
    }),
  };
}
