/**
 * Estimates the hourly limit from a lasting refusal, because the API specification does not state
 * its value (section Limits). A learnt limit is halved when it proves too high, and grows again
 * while no call is refused.
 */

/** A limit that was learnt from a refusal, and the time of the refusal. */
export interface LearnedLimit {
  readonly callsPerHour: number;
  readonly atMs: number;
}

/** The facts at the first of a series of refusals. */
export interface RefusalFacts {
  /**
   * Calls per hour that were allowed by a flag or by an earlier learnt limit; `undefined` is
   * unlimited.
   */
  readonly allowed: number | undefined;
  /** Calls that this machine made in the hour before. */
  readonly counted: number;
}

const HOUR_MS = 3_600_000;

/** Lowest learnt limit, one call a minute: less means that another program has used the quota. */
const MIN_CALLS = 60;

/** Share of the allowed calls below which our own calls cannot have used up the quota. */
const SHARE_OF_OUR_OWN = 0.5;

const GROWTH_PER_HOUR = 1.1;

/** Returns the calls per hour to allow from now on. */
export function learnLimit({ allowed, counted }: RefusalFacts): number {
  if (allowed === undefined) return Math.max(MIN_CALLS, counted);
  const isOurs = counted >= allowed * SHARE_OF_OUR_OWN;
  const learned = isOurs ? Math.min(allowed, counted) : Math.floor(allowed * SHARE_OF_OUR_OWN);
  return Math.min(allowed, Math.max(MIN_CALLS, learned));
}

/**
 * Returns the calls per hour that are allowed now: a tenth more for every hour without a refusal,
 * never above `given`.
 */
export function allowedCalls(
  given: number | undefined,
  learned: LearnedLimit | undefined,
  nowMs: number,
): number | undefined {
  if (learned === undefined) return given;
  const quietHours = Math.max(0, Math.floor((nowMs - learned.atMs) / HOUR_MS));
  const grown = Math.floor(learned.callsPerHour * GROWTH_PER_HOUR ** quietHours);
  return Math.min(grown, given ?? Number.MAX_SAFE_INTEGER);
}
