/** Guards over a whole run or feed, for mistakes that no single row shows. */

import type { Journal } from "../ports/journal.ts";
import type { IssueLocation, RowIssue } from "../row/issues.ts";
import type { CandidateRow, RowDecision } from "../row/row-record.ts";
import { guardOf, PRICE_UNIT_CODE, toStockIssue, toWaitingIssue } from "./guard-issue.ts";
import { ALL_GUARDS, type GuardSettings, type StockCounts } from "./guard-settings.ts";
import { sendsStock } from "./stock-first.ts";

/** Says whether so many products lose all their stock that the rows must be held. */
export function emptiesTooMany(
  { rows, emptied }: StockCounts,
  { limits, allowed }: GuardSettings,
): boolean {
  if (allowed.has("zero-stock") || rows < limits.zeroStockRows) return false;
  return emptied > (rows * limits.zeroStockPercent) / 100;
}

/** Says the same of a feed that also empties the products that it no longer names. */
export const holdsAbsent = (counts: StockCounts, { limits, allowed }: GuardSettings): boolean =>
  !allowed.has("absent") && emptiesTooMany(counts, { limits, allowed: new Set() });

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

/** Facts about a feed and about the feed that was processed before it. */
export interface FeedFacts {
  /** Rows that name a product. */
  readonly rows: number;
  /** Rows of the feed that was processed last. */
  readonly lastRows: number | undefined;
  /** Filled cells of a column that is sent, now and in the feed that was processed last. */
  readonly cells?: readonly { readonly now: number; readonly last: number | undefined }[];
  /** Age of the feed in milliseconds, where it is known. */
  readonly ageMs: number | undefined;
  /** @default no feed is too old */
  readonly maxAgeMs: number | undefined;
  /** Age in milliseconds of the feed that was processed last, where it is known. */
  readonly lastAgeMs?: number | undefined;
  /** The feed ends inside a row, or lacks the final line break that the last feed had. */
  readonly isCutOff: boolean;
  readonly stock: StockCounts;
  /** Updates whose values are those of other products, where they are too many. */
  readonly moved: number;
  /** Columns that look as if their cells had been shifted to others. */
  readonly shifted: number;
}

/** Why a feed is refused. */
type FeedRefusal =
  | "empty"
  | "cut-off"
  | "stale"
  | "older"
  | "shifted"
  | "few-rows"
  | "zero-stock"
  | "moved-values";

/**
 * Returns why no row of the feed may be sent; `undefined` when they may be. A feed that lost half
 * of its rows, or of the cells of a column, has too few: a broken upload leaves half a file.
 */
export function judgeFeed(facts: FeedFacts, guards: GuardSettings): FeedRefusal | undefined {
  const { rows, lastRows } = facts;
  if (rows === 0) return "empty";
  if (facts.isCutOff) return "cut-off";
  const age = judgeAge(facts);
  if (age !== undefined) return age;
  if (facts.shifted > 0 && !guards.allowed.has("moved-values")) return "shifted";
  const counts = [{ now: rows, last: lastRows }, ...(facts.cells ?? [])];
  if (counts.some(({ now, last }) => hasLostHalf(now, last, guards))) return "few-rows";
  if (emptiesTooMany(facts.stock, guards)) return "zero-stock";
  return facts.moved > 0 ? "moved-values" : undefined;
}

function judgeAge({ ageMs, maxAgeMs, lastAgeMs }: FeedFacts): "stale" | "older" | undefined {
  if (ageMs === undefined || maxAgeMs === undefined) return undefined;
  if (ageMs > maxAgeMs) return "stale";
  return lastAgeMs !== undefined && ageMs > lastAgeMs ? "older" : undefined;
}

function hasLostHalf(
  now: number,
  last: number | undefined,
  { limits, allowed }: GuardSettings,
): boolean {
  if (allowed.has("few-rows") || last === undefined) return false;
  return now < last && now <= (last * limits.fewRowsPercent) / 100;
}
