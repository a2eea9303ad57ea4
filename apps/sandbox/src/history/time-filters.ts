/** Filters and sorts by time. Queries count in seconds, the sandbox in milliseconds. */

import type { SortOrder } from "@catalog/contract";

export interface PeriodQuery {
  readonly date_created?: number | undefined;
  readonly start_date?: number | undefined;
  readonly end_date?: number | undefined;
}

export const DAY_MS: number = 24 * 60 * 60 * 1000;

/** Türkiye has no daylight saving time. */
const TURKIYE_OFFSET_MS = 3 * 60 * 60 * 1000;

/**
 * Whether a time is in the period, both ends included. `date_created` selects the day in Türkiye
 * that contains its time: the specification does not say how exact it is (section Comments).
 */
export function isWithinPeriod(timeMs: number, query: PeriodQuery): boolean {
  const { date_created: day, start_date: start = -Infinity, end_date: end = Infinity } = query;
  const seconds = Math.floor(timeMs / 1000);
  const isOnDay = day === undefined || dayOf(timeMs) === dayOf(day * 1000);
  return isOnDay && seconds >= start && seconds <= end;
}

const dayOf = (timeMs: number): number => Math.floor((timeMs + TURKIYE_OFFSET_MS) / DAY_MS);

/** Puts items that are sorted from old to new into the order of the query. */
export function sortByTime<Item>(
  oldToNew: readonly Item[],
  order: SortOrder = "descending",
): readonly Item[] {
  return order === "ascending" ? oldToNew : oldToNew.toReversed();
}

export const toIso = (timeMs: number): string => new Date(timeMs).toISOString();
