/** What was found wrong or remarkable, grouped by the code of the issue. */

import { type RowRecord, type RunRecord } from "@catalog/runs";

export interface Reason {
  /** Stable: `E_…` blocks a row, `W_…` does not. */
  readonly code: string;
  /** Of the first row that has it. */
  readonly message: string;
  /** How many rows have it. */
  readonly count: number;
  /** The first of those, as the spreadsheet program shows them. */
  readonly rows: readonly number[];
}

/** Rows that are named one by one. */
const MOST_ROWS = 12;

/** Takes rows one by one, in the order of the sheet. */
export interface ReasonCount {
  observe(row: Pick<RowRecord, "row" | "issues">): void;
  /** The most frequent first, and what blocks a row before what does not. */
  list(): readonly Reason[];
}

export function createReasonCount({ lang }: Pick<RunRecord, "lang">): ReasonCount {
  const found = new Map<string, GrowingReason>();
  return {
    observe({ row, issues }) {
      const messages = new Map(issues.toReversed().map((one) => [one.code, one.message[lang]]));
      for (const [code, message] of messages) {
        const reason = found.get(code) ?? { code, message, count: 0, rows: [] };
        reason.count += 1;
        if (reason.rows.length < MOST_ROWS) reason.rows.push(row);
        found.set(code, reason);
      }
    },
    list: () =>
      [...found.values()].toSorted(
        (a, b) => rank(b.code) - rank(a.code) || b.count - a.count || (a.code < b.code ? -1 : 1),
      ),
  };
}

interface GrowingReason extends Reason {
  count: number;
  readonly rows: number[];
}

const rank = (code: string): number => Number(code.startsWith("E_"));
