/** Issues grouped by code. */

import type { RowRecord, RunRecord } from "@catalog/runs";

export interface Reason {
  /** Stable code: `E_…` blocks a row, `W_…` does not. */
  readonly code: string;
  /** Message of the first row that has it. */
  readonly message: string;
  /** Number of rows that have it. */
  readonly count: number;
  /** Numbers of the first of these rows, as the spreadsheet program shows them. */
  readonly rows: readonly number[];
}

/** Rows named one by one. */
const MAX_ROWS = 12;

/** Takes rows one by one, in the order of the sheet. */
export interface ReasonCount {
  observe(row: Pick<RowRecord, "row" | "issues">): void;
  /** Lists errors before warnings, each with the most frequent first. */
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
        if (reason.rows.length < MAX_ROWS) reason.rows.push(row);
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
