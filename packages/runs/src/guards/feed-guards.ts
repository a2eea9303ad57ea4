/** Checks a feed as a whole before any of its rows is used. */

import type { GuardSettings } from "./guard-settings.ts";
import { type StockCounts, emptiesTooMany } from "./run-guards.ts";

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
export type FeedRefusal =
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
