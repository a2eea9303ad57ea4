/**
 * A rate limiter for calls per hour, shared by every process that opens the same database: the
 * generic cell rate algorithm (GCRA), a pause for all processes after a 429, and a limit that is
 * learnt from refusals.
 */

import { toRate, waitForSlotsMs } from "@catalog/client/rate";
import type { Clock } from "@catalog/clock";
import { formatDateTime } from "@catalog/i18n";

import { DatabaseError } from "../errors.ts";
import type { Database, Steps } from "../sql/database.ts";
import {
  allowedCalls,
  createCallCount,
  createRefusals,
  createSlots,
  MAX_BLOCK_MS,
  type Priority,
  type RateLimitRow,
  type Slots,
  toLearnedLimit,
} from "./slots.ts";

/** The shared key and the limit. */
export interface RateLimiterOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Rate limiters of the same key share one limit, in whatever process. */
  readonly key: string;
  /** At least 1. @default the limit learnt from refusals, else unlimited */
  readonly requestsPerHour?: number | undefined;
  /**
   * Longest wait for a slot in milliseconds; a longer one is refused with `E_CALLS_PAUSED`.
   * @default unlimited
   */
  readonly patienceMs?: number | undefined;
  /**
   * Resolves once a write can be recorded: after a database that was away, a full disk. Rejects
   * where that takes too long. @default at once
   */
  readonly ready?: (() => Promise<void>) | undefined;
}

/** A pause of all calls after the marketplace has refused some. */
interface CallPause {
  readonly untilMs: number;
  /** When the marketplace started to refuse calls. */
  readonly sinceMs: number;
  /** Consecutive refusals. */
  readonly refusals: number;
}

/** The result of a call that had a slot. */
interface EndedCall {
  /** HTTP status; `undefined` where no answer came. */
  readonly status: number | undefined;
  /** The wait in milliseconds that the marketplace asked for, where it did. */
  readonly retryAfterMs?: number | undefined;
}

/** Limits the calls of all processes of a machine. */
export interface RateLimiter {
  /**
   * Resolves when a call may be made; rejects when `signal` has aborted or aborts the wait, or where
   * a call that was counted before could not be written.
   */
  readonly take: (signal?: AbortSignal) => Promise<void>;
  /** Does the same for a write, which must also be recorded before it leaves. */
  readonly takeForWrite: (signal?: AbortSignal) => Promise<void>;
  /** Gives this process's calls priority over those of long runs from now on. */
  usePriority(): void;
  /**
   * Counts a call. A call that was refused with 429 pauses every process. All other methods wait
   * until it is written.
   */
  note(call: EndedCall): void;
  /** Returns the calls per hour that are allowed now; `undefined` is unlimited. */
  callsPerHour(): Promise<number | undefined>;
  /** Returns the calls of the last hour; those of other processes may be missing for some seconds. */
  callsLastHour(): Promise<number>;
  /**
   * Returns how long the last of this number of calls waits for its slot, in milliseconds, when no
   * other process makes calls.
   */
  waitMs(calls: number): Promise<number>;
  /** Returns the current pause; `undefined` where there is none. */
  pause(): Promise<CallPause | undefined>;
  /** Ends the pause, and forgets the limit that was learnt from refusals. */
  clear(): Promise<void>;
  /**
   * Writes the counts that are not written yet; call it before the database is closed. Never
   * rejects.
   */
  flush(): Promise<void>;
}

const TOO_MANY_CALLS = 429;

/**
 * Creates a rate limiter. At most `requestsPerHour` calls fall into any hour, because the steady
 * rate leaves room for the burst. No wait is longer than two hours, even when the clock was put
 * back. Throws `RangeError` for a limit that is not a whole number of calls.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { database, clock, key, requestsPerHour: given } = options;
  if (given !== undefined) assertWhole(given);
  const slots = createSlots(database, key);
  const calls = createCallCount(database, key);
  const refusals = createRefusals({ database, key, slots, calls, given });
  const notes = createNotes();
  const readRow = async (): Promise<RateLimitRow | undefined> => {
    await notes.ended();
    return await database.execute(slots.read());
  };
  let by: Priority = "bulk";
  const take = createTake(options, { slots, notes });
  return {
    take: (signal) => take(by, signal),
    async takeForWrite(signal) {
      await take(by, signal);
      await options.ready?.();
    },
    usePriority() {
      by = "urgent";
    },
    note({ status, retryAfterMs }) {
      const nowMs = clock.now();
      notes.add(async () => {
        if (status === TOO_MANY_CALLS) await refusals.refused(retryAfterMs, nowMs);
        else if (status !== undefined) await database.execute(refusals.accepted(nowMs));
        await database.execute(calls.note(nowMs));
      });
    },
    callsPerHour: async () => toAllowed(options, await readRow()),
    async callsLastHour() {
      await notes.ended();
      return await database.execute(calls.lastHour(clock.now()));
    },
    waitMs: async (count) => toWaitMs(options, await readRow(), count),
    pause: async () => toPause(await readRow(), clock.now()),
    async clear() {
      await notes.ended();
      await database.execute(refusals.clear());
    },
    async flush() {
      await notes.ended();
      try {
        await database.execute(calls.flush());
      } catch {
        // A count that is too low only leads to a lower learnt limit, so a failure here is ignored.
      }
    },
  };
}

/** Counts of calls, written one after the other while the caller continues. */
interface Notes {
  add(write: () => Promise<void>): void;
  ended(): Promise<void>;
  /** Throws the first error of a write since the last call. */
  throwError(): void;
}

function createNotes(): Notes {
  let last = Promise.resolve();
  let failed: { readonly error: unknown } | undefined;
  return {
    add(write) {
      last = last.then(write).catch((error: unknown) => {
        failed ??= { error };
      });
    },
    ended: () => last,
    throwError() {
      const thrown = failed;
      failed = undefined;
      if (thrown !== undefined) throw thrown.error;
    },
  };
}

type Limit = Pick<RateLimiterOptions, "clock" | "requestsPerHour">;

/** Returns the calls per hour that are allowed now; `undefined` is unlimited. */
const toAllowed = (
  { clock, requestsPerHour }: Limit,
  row: RateLimitRow | undefined,
): number | undefined => allowedCalls(requestsPerHour, toLearnedLimit(row), clock.now());

interface TakeParts {
  readonly slots: Slots;
  readonly notes: Notes;
}

function createTake(
  options: RateLimiterOptions,
  { slots, notes }: TakeParts,
): (by: Priority, signal?: AbortSignal) => Promise<void> {
  const { database, clock, patienceMs } = options;
  const ask = createAsk(options, slots);
  return async (by, signal) => {
    signal?.throwIfAborted();
    for (let waitedMs = 0; ;) {
      await notes.ended();
      notes.throwError();
      const waitMs = await database.execute(ask(by));
      if (waitMs <= 0) return;
      waitedMs += waitMs;
      assertPatient(waitedMs, patienceMs, clock.now() + waitMs);
      await clock.sleep(waitMs, signal);
    }
  };
}

/** Returns the function that asks for a slot: the milliseconds to wait, 0 when it was given. */
function createAsk(limit: Limit, slots: Slots): (by: Priority) => Steps<number> {
  return function* ask(by) {
    const row = yield* slots.read();
    const allowed = toAllowed(limit, row);
    const nowMs = limit.clock.now();
    // No limit and no pause apply, so writing a slot for every call would be wasted.
    const isFree = row === undefined || (row.strikes === 0 && row.blocked_until_ms <= nowMs);
    if (allowed === undefined && isFree) return 0;
    return yield* slots.take({ by, rate: toRate(allowed), nowMs });
  };
}

function toWaitMs(limit: Limit, row: RateLimitRow | undefined, count: number): number {
  const nowMs = limit.clock.now();
  const rate = toRate(toAllowed(limit, row));
  const waitMs = waitForSlotsMs(count, { rate, nowMs, tatMs: row?.tat_ms ?? 0 });
  return Math.max(waitMs, (toPause(row, nowMs)?.untilMs ?? nowMs) - nowMs);
}

function assertWhole(requestsPerHour: number): void {
  if (Number.isInteger(requestsPerHour) && requestsPerHour > 0) return;
  throw new RangeError(`requestsPerHour must be a positive integer, got ${requestsPerHour}`);
}

/**
 * A pause that ends later than the longest possible one was written before the clock was put back.
 */
function toPause(row: RateLimitRow | undefined, nowMs: number): CallPause | undefined {
  if (row === undefined) return undefined;
  const { blocked_until_ms: untilMs, struck_at_ms: sinceMs, strikes: refusals } = row;
  const isOn = untilMs > nowMs && untilMs <= nowMs + MAX_BLOCK_MS;
  return isOn ? { untilMs, sinceMs, refusals } : undefined;
}

const TIME = { timeStyle: "short" } as const;

function assertPatient(waitedMs: number, patienceMs: number | undefined, untilMs: number): void {
  if (patienceMs === undefined || waitedMs <= patienceMs) return;
  const detail = {
    tr: formatDateTime(untilMs, "tr", TIME),
    en: formatDateTime(untilMs, "en", TIME),
  };
  throw new DatabaseError("E_CALLS_PAUSED", detail);
}
