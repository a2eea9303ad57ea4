/**
 * Searches the highest number of calls at a time under which answers come as fast as before.
 */

/** Limit with which a search begins. */
export const FIRST_LIMIT = 4;

/** Differences below this time, in milliseconds, come from this machine. */
const MIN_JUDGED_MS = 40;

/** Answers are as fast as before up to this multiple of the usual time. */
const AS_FAST = 1.25;

/** From this multiple of the usual time on, the marketplace may be overloaded. */
const TOO_SLOW = 2;

/** Half the limit has helped where it brings the time down to this share. */
const HELPED = 0.75;

/** Number of the latest rounds whose median is the usual time. */
const USUAL_ROUNDS = 5;

/** Rounds in a row that are slow, but not twice as slow, after which half the limit is tried. */
const SLOW_ROUNDS = 3;

/** Equal calls that were answered under one limit. */
export interface Round {
  readonly key: string;
  /** At least four. */
  readonly timesMs: readonly number[];
  readonly limit: number;
  /** Whether as many calls as allowed were under way; a lower load says nothing of the limit. */
  readonly isFull: boolean;
}

/** Finds out from the times of answers how many calls at a time are good. */
export interface LimitSearch {
  /** Returns the limit for the next calls. */
  judge(round: Round): number;
  /** Returns the limit after a refusal under this one. */
  refused(limit: number): number;
}

/** How long equal calls take. */
interface Pace {
  /** Times of the latest rounds that were as fast as those before, in milliseconds. */
  readonly usualMs: readonly number[];
  /** Time of the latest round, in milliseconds. */
  readonly latestMs: number;
  /** Rounds in a row that were slower than those before. */
  readonly slowRounds: number;
}

/** A round under half the limit, which shows whether the calls themselves make answers slow. */
interface Trial {
  /** The limit before. */
  readonly limit: number;
  /** Whether the lower limit stays if it helps. */
  readonly isOverload: boolean;
}

/**
 * Creates a search that doubles the limit until answers slow down, and adds one after that. Where
 * answers are as slow under half the limit, something else makes them slow: the limit goes back, and
 * the slow time is the usual one from then on. Slowness alone never takes the limit below the first
 * one.
 */
export function createLimitSearch(): LimitSearch {
  const paces = new Map<string, Pace>();
  let isDoubling = true;
  let slowRounds = SLOW_ROUNDS;
  let trial: Trial | undefined;

  const relearn = (key: string, ms: number): void => {
    paces.clear();
    paces.set(key, toPace(ms));
    isDoubling = true;
    slowRounds = SLOW_ROUNDS;
  };
  const tryHalf = (key: string, pace: Pace, limit: number): number => {
    const half = Math.max(Math.floor(limit / 2), Math.min(limit, FIRST_LIMIT));
    if (half === limit) relearn(key, pace.latestMs);
    else trial = { limit, isOverload: isTooSlow(pace) };
    return half;
  };
  const endTrial = (before: Trial, key: string, ms: number): number | undefined => {
    const slowMs = paces.get(key)?.latestMs;
    if (slowMs === undefined) {
      paces.set(key, toPace(ms));
      return undefined;
    }
    trial = undefined;
    if (ms > HELPED * slowMs) relearn(key, Math.max(ms, slowMs));
    else if (before.isOverload) return undefined;
    else slowRounds *= 2;
    return before.limit;
  };

  return {
    judge({ key, timesMs, limit, isFull }) {
      const ms = Math.max(MIN_JUDGED_MS, trimmedMean(timesMs));
      if (trial !== undefined) return endTrial(trial, key, ms) ?? limit;
      const pace = nextPace(paces.get(key), ms);
      paces.set(key, pace);
      if (pace.slowRounds > 0) {
        isDoubling = false;
        const isLong = isTooSlow(pace) || pace.slowRounds >= slowRounds;
        return isLong ? tryHalf(key, pace, limit) : limit;
      }
      if (!isFull) return limit;
      return isDoubling ? limit * 2 : limit + 1;
    },
    refused(limit) {
      isDoubling = false;
      trial = undefined;
      return Math.floor(limit / 2);
    },
  };
}

const toPace = (ms: number): Pace => ({ usualMs: [ms], latestMs: ms, slowRounds: 0 });

function nextPace(pace: Pace | undefined, ms: number): Pace {
  if (pace === undefined) return toPace(ms);
  const { usualMs, slowRounds } = pace;
  const isSlow = ms > AS_FAST * median(usualMs);
  if (isSlow) return { usualMs, latestMs: ms, slowRounds: slowRounds + 1 };
  return { usualMs: [...usualMs, ms].slice(-USUAL_ROUNDS), latestMs: ms, slowRounds: 0 };
}

const isTooSlow = ({ usualMs, latestMs }: Pace): boolean => latestMs >= TOO_SLOW * median(usualMs);

function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * The mean without the shortest and the longest eighth; a median would jump between the times of
 * cheap and of dear calls.
 */
function trimmedMean(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const eighth = Math.max(1, Math.floor(sorted.length / 8));
  const middle = sorted.slice(eighth, sorted.length - eighth);
  return middle.reduce((sum, time) => sum + time, 0) / middle.length;
}
