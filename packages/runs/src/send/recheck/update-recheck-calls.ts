import { MAX_PAGE_SIZE } from "@catalog/contract";

import { RECHECK_MAX_AGE_MS } from "./recheck-age.ts";

/** Workers for which one page of products is rechecked at a time. */
const WORKERS_PER_PAGE = 2;

/** Rechecked rows wait for as many that are being sent, and for as many that are claimed. */
const AHEAD = 3;

/** Calls that are made while a recheck is valid. */
const countWhileValid = (callsPerHour: number): number =>
  (callsPerHour * RECHECK_MAX_AGE_MS) / 3_600_000;

/**
 * Returns the number of updates that are rechecked together: whole pages, no more than are sent
 * before their recheck is too old, but at least one page, since it takes one call.
 */
export function countUpdatesAtOnce(concurrency: number, callsPerHour: number = Infinity): number {
  const pages = Math.ceil(concurrency / WORKERS_PER_PAGE);
  const inTime = Math.floor(countWhileValid(callsPerHour) / AHEAD / MAX_PAGE_SIZE);
  return MAX_PAGE_SIZE * Math.max(1, Math.min(pages, inTime));
}

/**
 * Returns the calls that recheck this number of updates: one for each page, and under a small rate
 * limit one more each time that the rechecks have become too old.
 */
export function countUpdateRecheckCalls(updates: number, callsPerHour: number = Infinity): number {
  const pages = Math.ceil(updates / MAX_PAGE_SIZE);
  const whileValid = countWhileValid(callsPerHour);
  if (whileValid >= AHEAD * MAX_PAGE_SIZE) return pages;
  // Each further recheck takes one of the calls itself.
  const again = Math.floor((updates - 1) / Math.max(1, whileValid - 1));
  return pages + Math.max(0, again);
}
