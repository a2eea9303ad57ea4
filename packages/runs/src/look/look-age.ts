/**
 * Longest time between a look and the first byte of the request that rests on it. 50 rows are sent
 * well within it unless the quota is small, so that a look is one call for 50 rows; a run that
 * pauses, or waits for its turns, looks again.
 */
export const LOOK_MAX_AGE_MS = 60_000;
