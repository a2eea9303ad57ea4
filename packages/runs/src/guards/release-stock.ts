/** Sends the stock of updates whose price is held; the rest of such a row waits. */

import type { Journal } from "../ports/journal.ts";
import { readAllRows } from "../ports/read-all-rows.ts";
import { isBlocking } from "../row/issue-texts.ts";
import type { RowIssue } from "../row/issue.ts";
import type { RowDecision } from "../row/row-decision.ts";
import type { RowOutcome } from "../row/row-outcome.ts";
import { hasSent, isStockAlone, joinParts, splitStock, STOCK_FIELD } from "../row/row-parts.ts";
import type { RowRecord } from "../row/row-record.ts";
import { GUARD_CODES, PRICE_UNIT_CODE, toWaitingIssue } from "./guard-issue.ts";
import { STOCK_CAUSE } from "./manual-release.ts";

export interface ReleaseStockOptions {
  readonly runId: string;
  readonly journal: Pick<Journal, "readRows" | "recordOutcome">;
  readonly signal?: AbortSignal | undefined;
}

/** The guards of prices; every other reason holds the stock as well. */
const PRICE_CODES: ReadonlySet<string> = new Set([
  PRICE_UNIT_CODE,
  GUARD_CODES["price-drop"],
  GUARD_CODES["price-rise"],
  GUARD_CODES["price-scale"],
  GUARD_CODES["discount-price"],
  GUARD_CODES["currency-change"],
]);

/**
 * Whether only the price of a held update waits, and its stock is sent. A stock that the listing did
 * not show is not: nobody could say later what it has overwritten.
 */
export function sendsStock({
  state,
  action,
  changes,
  issues,
}: Pick<RowDecision | RowRecord, "action" | "changes" | "issues" | "state">): boolean {
  if (state !== "held" || action !== "update") return false;
  const open = changes.filter(({ part }) => part === undefined);
  const stock = open.find(({ field }) => field === STOCK_FIELD);
  const reasons = issues.filter(isBlocking);
  return (
    stock?.old !== undefined &&
    open.length > 1 &&
    reasons.length > 0 &&
    reasons.every(({ code }) => PRICE_CODES.has(code))
  );
}

/**
 * Makes the held updates whose stock does not wait `ready`, with their stock alone; they are held
 * again once it is sent. Makes no call. Returns how many there are.
 */
export async function releaseStock({
  runId,
  journal,
  signal,
}: ReleaseStockOptions): Promise<number> {
  let released = 0;
  for await (const rows of readAllRows(journal, runId, { states: ["held"], action: "update" })) {
    signal?.throwIfAborted();
    for (const { row, changes } of rows.filter(sendsStock)) {
      await journal.recordOutcome(
        { runId, row, from: "held" },
        { to: "ready", cause: STOCK_CAUSE, changes: splitStock(changes) },
      );
      released += 1;
    }
  }
  return released;
}

/**
 * How a row is held for further reasons: one whose stock was to be sent alone is one row again, and
 * still waits for what its price waits for.
 */
export function toHeldAsOne(
  record: Pick<RowRecord, "changes" | "issues">,
  issues: readonly RowIssue[],
): Required<Pick<RowOutcome, "issues" | "changes">> | { readonly issues: readonly RowIssue[] } {
  if (!isStockAlone(record)) return { issues };
  const waiting = record.issues.map(toWaitingIssue);
  return { issues: [...waiting, ...issues], changes: joinParts(record.changes) };
}

/** Counts the held updates whose stock is sent when the run is applied. */
export const countStock = (options: ReleaseStockOptions): Promise<number> =>
  countHeld(options, sendsStock);

/** Counts the held updates whose stock has been sent. */
export const countSentStock = (options: ReleaseStockOptions): Promise<number> =>
  countHeld(options, hasSent);

async function countHeld(
  { runId, journal }: ReleaseStockOptions,
  isCounted: (row: RowRecord) => boolean,
): Promise<number> {
  let rows = 0;
  for await (const held of readAllRows(journal, runId, { states: ["held"], action: "update" })) {
    rows += held.filter(isCounted).length;
  }
  return rows;
}
