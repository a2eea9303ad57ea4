/**
 * What a marketplace that does not state its hourly limit lets us conclude from a lasting refusal.
 * A learnt limit is halved when it proves too high, and grows again while nobody complains.
 */

/** A limit that was concluded from a refusal, and when. */
export interface LearntLimit {
  readonly callsPerHour: number;
  readonly atMs: number;
}

/** What was known when the refusals began. */
export interface Refused {
  /** Calls an hour that were allowed by flag or by an earlier lesson; `undefined` is unlimited. */
  readonly allowed: number | undefined;
  /** Calls that this machine made in the hour before. */
  readonly counted: number;
}

const HOUR_MS = 3_600_000;

/** Less than a call a minute would be somebody else's use of the quota, not its size. */
const LEAST_CALLS = 60;

/** Share of what is allowed below which our own count cannot have used the quota up. */
const SHARE_OF_OUR_OWN = 0.5;

const GROWTH_PER_HOUR = 1.1;

/** Calls an hour to make from now on. */
export function learnLimit({ allowed, counted }: Refused): number {
  if (allowed === undefined) return Math.max(LEAST_CALLS, counted);
  const isOurs = counted >= allowed * SHARE_OF_OUR_OWN;
  const learnt = isOurs ? Math.min(allowed, counted) : Math.floor(allowed * SHARE_OF_OUR_OWN);
  return Math.min(allowed, Math.max(LEAST_CALLS, learnt));
}

/** Calls an hour that are allowed now: a tenth more for every quiet hour, never above `given`. */
export function allowedCalls(
  given: number | undefined,
  learnt: LearntLimit | undefined,
  nowMs: number,
): number | undefined {
  if (learnt === undefined) return given;
  const quietHours = Math.max(0, Math.floor((nowMs - learnt.atMs) / HOUR_MS));
  const grown = Math.floor(learnt.callsPerHour * GROWTH_PER_HOUR ** quietHours);
  return Math.min(grown, given ?? Number.MAX_SAFE_INTEGER);
}
