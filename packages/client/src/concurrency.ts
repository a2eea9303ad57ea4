/**
 * Limits how many calls run at a time: a fixed number for all calls, or limits for reads and for
 * writes that follow how fast the marketplace answers, searched as the highest number under which
 * answers come as fast as before. A task that is aborted while it waits never runs.
 */

/**
 * Runs a task as soon as fewer tasks than the limit are running; rejects with the reason of
 * `signal` if that aborts before.
 */
type Gate = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** A gate whose limit can be changed. */
interface AdjustableGate {
  readonly run: Gate;
  limit(): number;
  /** Sets the maximum number of tasks at a time; tasks that are running continue. */
  setLimit(limit: number): void;
  /** Whether as many tasks are running as may. */
  isFull(): boolean;
}

/** Creates a gate that runs at most `concurrency` tasks at a time. */
export function createGate(concurrency: number): AdjustableGate {
  let limit = concurrency;
  let running = 0;
  /** Lets each waiting task in, in their order. */
  const waiting: (() => void)[] = [];
  const enter = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    letIn();
    return promise;
  };
  const leave = (): void => {
    running -= 1;
    letIn();
  };
  const letIn = (): void => {
    while (running < limit && waiting.length > 0) {
      running += 1;
      waiting.shift()?.();
    }
  };
  return {
    async run(task, signal) {
      const entered = enter();
      try {
        await untilAborted(entered, signal);
        signal?.throwIfAborted();
      } catch (error) {
        void entered.then(leave);
        throw error;
      }
      try {
        return await task();
      } finally {
        leave();
      }
    },
    limit: () => limit,
    setLimit(next) {
      limit = next;
      letIn();
    },
    isFull: () => running >= limit,
  };
}

/**
 * Settles as `promise` does, or rejects with the reason of `signal` as soon as that aborts. The
 * work behind the promise continues after an abort, and its outcome is ignored.
 */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Limit with which a search begins. */
const FIRST_LIMIT = 4;

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
interface Round {
  readonly key: string;
  /** At least four. */
  readonly timesMs: readonly number[];
  readonly limit: number;
  /** Whether as many calls as allowed were under way; a lower load says nothing of the limit. */
  readonly isFull: boolean;
}

/** Finds out from the times of answers how many calls at a time are good. */
interface LimitSearch {
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
function createLimitSearch(): LimitSearch {
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

/** Maximum numbers of concurrent calls. */
export interface ConcurrencyLimits {
  readonly reads: number;
  readonly writes: number;
}

/** Limits that are found out while calls are made. */
export interface AutoConcurrency {
  /** Limits with which to begin, as an earlier client has found them. @default 4 each */
  readonly learned?: ConcurrencyLimits | undefined;
}

/** Highest limits that are tried, however fast the answers are. */
export const MAX_CONCURRENCY: ConcurrencyLimits = { reads: 16, writes: 16 };

/** One request that was answered or lost, from its start to the end of its answer. */
export interface TimedCall {
  readonly kind: keyof ConcurrencyLimits;
  /** Calls with the same key do about the same work, so that their times can be compared. */
  readonly key: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** HTTP status; `undefined` where no answer came. */
  readonly status: number | undefined;
}

/** The gates of one client. */
export interface ConcurrencyControl {
  /** Runs a call of this kind as soon as its limit allows it. */
  gateOf(kind: keyof ConcurrencyLimits): Gate;
  limits(): ConcurrencyLimits;
  note(call: TimedCall): void;
}

/** Creates the gates; a number is the fixed limit of all calls together. */
export function createConcurrencyControl(how: number | AutoConcurrency): ConcurrencyControl {
  if (typeof how === "number") {
    const { run } = createGate(how);
    const limits = { reads: how, writes: how };
    return { gateOf: () => run, limits: () => limits, note: () => undefined };
  }
  const { learned } = how;
  const of = {
    reads: createAdaptiveGate(MAX_CONCURRENCY.reads, learned?.reads),
    writes: createAdaptiveGate(MAX_CONCURRENCY.writes, learned?.writes),
  };
  return {
    gateOf: (kind) => of[kind].run,
    limits: () => ({ reads: of.reads.limit(), writes: of.writes.limit() }),
    note: (call) => of[call.kind].note(call),
  };
}

interface AdaptiveGate {
  readonly run: Gate;
  limit(): number;
  note(call: Omit<TimedCall, "kind">): void;
}

const TOO_MANY_CALLS = 429;

/**
 * Changes its limit after a round of equal calls, as many as the limit, or at a refusal. An answer
 * that does not come is a refusal where one was lost shortly before.
 */
function createAdaptiveGate(max: number, learned = FIRST_LIMIT): AdaptiveGate {
  const gate = createGate(clamp(learned, max));
  const search = createLimitSearch();
  const isLossRepeated = createLossCount();
  const rounds = new Map<string, number[]>();
  let changedAtMs = Number.NEGATIVE_INFINITY;
  let isFull = false;

  const change = (limit: number, nowMs: number): void => {
    rounds.clear();
    isFull = false;
    changedAtMs = nowMs;
    gate.setLimit(clamp(limit, max));
  };

  return {
    run: gate.run,
    limit: () => gate.limit(),
    note({ key, startedAtMs, endedAtMs, status }) {
      isFull ||= gate.isFull();
      // What left under an earlier limit says nothing about this one, and one overload is many
      // refusals.
      if (startedAtMs < changedAtMs) return;
      const limit = gate.limit();
      const size = Math.max(limit, FIRST_LIMIT);
      const isRepeatedLoss = isLossRepeated(status === undefined, size);
      if (isRepeatedLoss || isRefusal(status)) return change(search.refused(limit), endedAtMs);
      if (status === undefined) return;
      const timesMs = [...(rounds.get(key) ?? []), endedAtMs - startedAtMs];
      rounds.set(key, timesMs);
      if (timesMs.length < size) return;
      rounds.delete(key);
      const next = clamp(search.judge({ key, timesMs, limit, isFull }), max);
      if (next !== limit) change(next, endedAtMs);
    },
  };
}

const isRefusal = (status = 0): boolean => status === TOO_MANY_CALLS || status >= 500;

/** Says whether a lost answer follows another one within a number of answers. */
function createLossCount(): (isLost: boolean, within: number) => boolean {
  let answers = Infinity;
  return (isLost, within) => {
    const isRepeated = isLost && answers < within;
    answers = isLost ? 0 : answers + 1;
    return isRepeated;
  };
}

const clamp = (limit: number, max: number): number => Math.min(max, Math.max(1, limit));
