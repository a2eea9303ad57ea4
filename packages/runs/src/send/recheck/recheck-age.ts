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
