/** Issues grouped by code and text. */

import { isBlocking, type RowRecord, type RowState, type RunRecord } from "@catalog/runs";

import { PAGE_TEXTS } from "./page-texts.ts";

export interface Reason {
  /** Stable code: `E_…` blocks a row, `W_…` does not. */
  readonly code: string;
  /** What the rows have in common: their text, or that theirs are of the same kind. */
  readonly message: string;
  /** Number of rows that have it. */
  readonly count: number;
  /** Numbers of the first of these rows, as the spreadsheet program shows them. */
  readonly rows: readonly number[];
}

/** Rows named one by one. */
const MAX_ROWS = 12;

/** Texts of one code that are listed; values in them may differ from row to row. */
const MAX_TEXTS = 3;

/** Takes rows one by one, in the order of the sheet. */
export interface ReasonCount {
  observe(row: Pick<RowRecord, "row" | "issues" | "state">): void;
  /** Lists errors before warnings, each with the most frequent code first. */
  list(): readonly Reason[];
}

export function createReasonCount({ lang }: Pick<RunRecord, "lang">): ReasonCount {
  const codes = new Map<string, Map<string, GrowingReason>>();
  const { otherReasons } = PAGE_TEXTS[lang];
  return {
    observe({ row, issues: all, state }) {
      const issues = SETTLED.has(state) ? all.filter((issue) => !isBlocking(issue)) : all;
      const messages = new Map(issues.toReversed().map((one) => [one.code, one.message[lang]]));
      for (const [code, text] of messages) {
        const texts = codes.get(code) ?? new Map<string, GrowingReason>();
        codes.set(code, texts);
        const message = texts.has(text) || texts.size < MAX_TEXTS ? text : otherReasons;
        const reason = texts.get(message) ?? { code, message, count: 0, rows: [] };
        reason.count += 1;
        if (reason.rows.length < MAX_ROWS) reason.rows.push(row);
        texts.set(message, reason);
      }
    },
    list: () =>
      [...codes.values()]
        .map((texts) => Array.from(texts.values()))
        .toSorted(
          (a, b) => rank(b) - rank(a) || total(b) - total(a) || (codeOf(a) < codeOf(b) ? -1 : 1),
        )
        .flat(),
  };
}

/** What held such a row stands in the way of nothing any more: it was approved or given up. */
const SETTLED: ReadonlySet<RowState> = new Set(["done", "unchanged", "cancelled"]);

interface GrowingReason extends Reason {
  count: number;
  readonly rows: number[];
}

const codeOf = (reasons: readonly Reason[]): string => reasons[0]?.code ?? "";

const rank = (reasons: readonly Reason[]): number => Number(codeOf(reasons).startsWith("E_"));

const total = (reasons: readonly Reason[]): number =>
  reasons.reduce((sum, { count }) => sum + count, 0);
