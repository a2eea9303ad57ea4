/** How long rechecks are valid, and how many calls they and the reading back of rows take. */

import { PAGE_SIZE } from "../ports/product.ts";
import { STATUS_SWEEP } from "../reconcile/find-products.ts";

/**
 * Longest time, in milliseconds, between a recheck and the first byte of the request that depends
 * on it. All rows that are rechecked together are sent within it, so that one call serves 50 rows,
 * unless the rate limit is under 9,000 calls an hour; after a pause or a long wait for slots the rows
 * that wait are rechecked again, 50 in a call.
 */
export const RECHECK_MAX_AGE_MS = 60_000;

/**
 * The same for the codes of adds, in milliseconds: a product that another program adds after the
 * recheck is doubled, and cannot be deleted. One listing serves every add sent in this time, so it
 * may be short.
 */
export const ADD_RECHECK_MAX_AGE_MS = 10_000;

/**
 * With a small rate limit a recheck stays valid until this number of adds have left for each of its
 * calls.
 */
export const ADDS_PER_RECHECK = 5;

/**
 * Returns the fewest calls that recheck this number of adds while they are sent within `seconds`.
 */
export function countAddRecheckCalls(adds: number, seconds: number): number {
  const calls = STATUS_SWEEP.length;
  const byTime = Math.floor((seconds * 1_000) / ADD_RECHECK_MAX_AGE_MS);
  return calls * Math.min(byTime, Math.floor(adds / (ADDS_PER_RECHECK * calls)));
}

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
  const inTime = Math.floor(countWhileValid(callsPerHour) / AHEAD / PAGE_SIZE);
  return PAGE_SIZE * Math.max(1, Math.min(pages, inTime));
}

/**
 * Returns the calls that recheck this number of updates: one for each page, and under a small rate
 * limit one more each time that the rechecks have become too old.
 */
export function countUpdateRecheckCalls(updates: number, callsPerHour: number = Infinity): number {
  const pages = Math.ceil(updates / PAGE_SIZE);
  const whileValid = countWhileValid(callsPerHour);
  if (whileValid >= AHEAD * PAGE_SIZE) return pages;
  // Each further recheck takes one of the calls itself.
  const again = Math.floor((updates - 1) / Math.max(1, whileValid - 1));
  return pages + Math.max(0, again);
}

/** Returns the fewest calls that read this number of products back. */
export const countVerifyCalls = (rows: number): number => Math.ceil(rows / PAGE_SIZE);
