/**
 * Counts the stock changes of a plan, and holds the rows that empty stocks where there are too
 * many.
 */

import type { CandidateRow } from "../plan/decide-row.ts";
import type { Journal } from "../ports/journal.ts";
import type { IssueLocation } from "../row/issue-texts.ts";
import type { RowIssue } from "../row/issue.ts";
import type { RowDecision } from "../row/row-decision.ts";
import { guardOf, PRICE_UNIT_CODE, toStockIssue, toWaitingIssue } from "./guard-issue.ts";
import { ALL_GUARDS, type GuardSettings } from "./guard-settings.ts";
import { sendsStock } from "./release-stock.ts";
import { emptiesTooMany, type StockCounts } from "./run-guards.ts";

/** Counts the rows that set a stock, and those that set a product in stock to 0. */
export interface StockWatch {
  observe(row: CandidateRow, decision: RowDecision): void;
  counts(): StockCounts;
  /** In the order of the sheet. */
  readonly emptied: readonly IssueLocation[];
}

/**
 * - `leaving`: rows that would be sent; rows with errors or held rows do not count.
 * - `asked`: every row that sets a stock, as in a feed, which is accepted or refused as a whole.
 */
export type StockScope = "leaving" | "asked";

export function createStockWatch(scope: StockScope = "leaving"): StockWatch {
  const emptied: IssueLocation[] = [];
  let rows = 0;
  return {
    emptied,
    observe(row, decision) {
      if (decision.productId === null || row.changes.stock_count === undefined) return;
      if (scope === "leaving" && !COUNTED_STATES.has(decision.state)) return;
      rows += 1;
      const change = decision.changes.find(({ field }) => field === "stock_count");
      if (change?.new !== 0) return;
      if (scope === "asked" || isLeaving(decision)) emptied.push(row.locationOf("stock"));
    },
    counts: () => ({ rows, emptied: emptied.length }),
  };
}

/**
 * A row that waits for the unit of prices is released later without this count, so it counts now;
 * so does a row whose stock does not wait with its price, and one that was held for its stock before, as its file then was this one.
 */
const isLeaving = (decision: RowDecision): boolean =>
  decision.state === "ready" ||
  sendsStock(decision) ||
  decision.issues.some((issue) => issue.code === PRICE_UNIT_CODE || isOfStock(issue));

const isOfStock = (issue: RowIssue): boolean => guardOf(issue) === "zero-stock";

/** Rows whose stock is the store's now, or will be once they are sent. */
const COUNTED_STATES: ReadonlySet<RowDecision["state"]> = new Set(["ready", "unchanged", "held"]);

interface HoldEmptiedOptions {
  readonly runId: string;
  readonly journal: Journal;
  /** @default every guard, at its default */
  readonly guards?: GuardSettings | undefined;
}

/** Holds the rows that empty a stock where there are too many of them. Returns how many it held. */
export async function holdEmptied(
  watch: StockWatch,
  { runId, journal, guards = ALL_GUARDS }: HoldEmptiedOptions,
): Promise<number> {
  const counts = watch.counts();
  if (!emptiesTooMany(counts, guards)) return 0;
  for (const location of watch.emptied) {
    const { row } = location;
    const [record] = await journal.readRows(runId, { after: row - 1, limit: 1 });
    if (record === undefined) throw new Error(`row ${row} was planned and is gone`);
    const others = record.issues.filter((issue) => !isOfStock(issue));
    const issues = [...others.map(toWaitingIssue), toStockIssue(counts, location)];
    // A run that is being planned sends nothing, so this loop may stop at any row without harm.
    const from = record.state === "held" ? "held" : "ready";
    await journal.recordOutcome({ runId, row, from }, { to: "held", cause: "guard", issues });
  }
  return watch.emptied.length;
}
