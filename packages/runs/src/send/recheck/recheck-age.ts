/**
 * Longest time between a look and the first byte of the request that rests on it. 50 rows are sent
 * well within it unless the quota is small, so that a look is one call for 50 rows; a run that
 * pauses, or waits for its turns, looks again.
 */
export const LOOK_MAX_AGE_MS = 60_000;

/**
 * The same for the codes of adds: a product cannot be taken back, and what somebody else adds after
 * the look is doubled. One listing serves every add that leaves in this time, so it may be short.
 */
export const ADD_LOOK_MAX_AGE_MS = 10_000;
