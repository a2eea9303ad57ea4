/**
 * Longest time, in milliseconds, between a recheck and the first byte of the request that depends
 * on it. 50 rows are sent well within it unless the rate limit is small, so that one call serves 50
 * rows; after a pause or a long wait for slots the rows are rechecked.
 */
export const RECHECK_MAX_AGE_MS = 60_000;

/**
 * The same for the codes of adds, in milliseconds: a product that another program adds after the
 * recheck is doubled, and cannot be deleted. One listing serves every add sent in this time, so it
 * may be short.
 */
export const ADD_RECHECK_MAX_AGE_MS = 10_000;
