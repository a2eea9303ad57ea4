import { LISTING_STATUSES } from "@catalog/contract";

import { ADD_LOOK_MAX_AGE_MS } from "./recheck-age.ts";

/** In a small quota a look serves until so many adds have left for each of its calls. */
export const ADDS_PER_CALL = 5;

/** The fewest calls that look for the codes of so many adds while they are sent in so much time. */
export function addLookCalls(adds: number, seconds: number): number {
  const calls = LISTING_STATUSES.length;
  const byTime = Math.floor((seconds * 1_000) / ADD_LOOK_MAX_AGE_MS);
  return calls * Math.min(byTime, Math.floor(adds / (ADDS_PER_CALL * calls)));
}
