/** Looks at a feed as a whole, before any row of it is believed. */

import { type GuardSettings } from "./guard-settings.ts";
import { type StockCounts, emptiesTooMany } from "./run-guards.ts";

/** What is known of a feed, and of the one that was taken before it. */
export interface FeedFacts {
  /** Rows with a product. */
  readonly rows: number;
  /** Of the feed that was taken last. */
  readonly lastRows: number | undefined;
  /** How old it is, where that is known. */
  readonly ageMs: number | undefined;
  /** @default no feed is too old */
  readonly maxAgeMs: number | undefined;
  /** It ends in the middle of a row, or without the line break that it ended with the last time. */
  readonly isCutOff: boolean;
  readonly stock: StockCounts;
}

/** Why a feed is not believed. */
export type FeedRefusal = "empty" | "cut-off" | "stale" | "few-rows" | "zero-stock";

/**
 * Why nothing of the feed may be sent; `undefined` when it may. A feed that lost half of its rows
 * counts as one with too few of them: half a file is what a broken upload leaves.
 */
export function judgeFeed(facts: FeedFacts, guards: GuardSettings): FeedRefusal | undefined {
  const { rows, lastRows, ageMs, maxAgeMs } = facts;
  if (rows === 0) return "empty";
  if (facts.isCutOff) return "cut-off";
  if (ageMs !== undefined && maxAgeMs !== undefined && ageMs > maxAgeMs) return "stale";
  if (hasLostHalf(rows, lastRows, guards)) return "few-rows";
  return emptiesTooMany(facts.stock, guards) ? "zero-stock" : undefined;
}

function hasLostHalf(
  rows: number,
  lastRows: number | undefined,
  { limits, allowed }: GuardSettings,
): boolean {
  if (allowed.has("few-rows") || lastRows === undefined) return false;
  return rows < lastRows && rows <= (lastRows * limits.fewRowsPercent) / 100;
}
