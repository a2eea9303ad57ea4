import { STATUS_SWEEP } from "../../reconcile/find-products.ts";
import { ADD_RECHECK_MAX_AGE_MS } from "./recheck-age.ts";

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
