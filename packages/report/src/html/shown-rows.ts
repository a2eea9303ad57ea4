/** Chooses the rows of the page where a run has more than browsers can open in reasonable time. */

import type { RowRecord } from "@catalog/runs";

import { type ResultClass, toResultClass } from "../result-texts.ts";

export interface PageLimits {
  /** Maximum number of rows that are shown whatever they are. */
  readonly rows: number;
  /** Maximum number of later rows with a problem. */
  readonly problems: number;
}

export const PAGE_LIMITS: PageLimits = { rows: 10_000, problems: 10_000 };

/** The number of rows that the page has, where it does not have all of them. */
export interface RowOmission {
  readonly total: number;
  /** First rows, all of which are shown. */
  readonly first: number;
  /** Rows with a problem that are shown behind them. */
  readonly problems: number;
}

export interface ShownRows {
  /** Whether the page has the row; called for each row, in the order of the sheet. */
  take(row: RowRecord): boolean;
  /** `undefined` where every row is shown. */
  omission(): RowOmission | undefined;
}

/** Classes of rows that a person has to look at. */
const PROBLEMS: ReadonlySet<ResultClass> = new Set<ResultClass>([
  "invalid",
  "duplicate",
  "rejected",
  "held",
  "unknown",
]);

export function createShownRows(limits: PageLimits): ShownRows {
  let [total, first, problems] = [0, 0, 0];
  return {
    take(row) {
      total += 1;
      if (first < limits.rows) {
        first += 1;
        return true;
      }
      if (problems === limits.problems || !PROBLEMS.has(toResultClass(row))) return false;
      problems += 1;
      return true;
    },
    omission: () => (first + problems === total ? undefined : { total, first, problems }),
  };
}
