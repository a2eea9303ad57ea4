/**
 * A rate limiter for calls per hour, shared by every process that opens the same database: the
 * generic cell rate algorithm (GCRA), a pause for all processes after a 429, and a limit that is
 * learnt from refusals.
 */

import type { Clock } from "@catalog/clock";
import { formatDateTime } from "@catalog/i18n";

import { DatabaseError } from "../errors.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { createCallCount } from "./call-count.ts";
import { allowedCalls } from "./learned-limit.ts";
import { createRefusals, toLearnedLimit } from "./rate-limit-refusals.ts";
import { toRate, waitForSlotsMs } from "./rate.ts";
import { type RateLimitRow, createSlots, MAX_BLOCK_MS, type Priority } from "./slots.ts";

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
}

/** A pause of all calls after the marketplace has refused some. */
export interface CallPause {
  readonly untilMs: number;
  /** When the marketplace started to refuse calls. */
  readonly sinceMs: number;
  /** Consecutive refusals. */
  readonly refusals: number;
}

/** The result of a call that had a slot. */
export interface EndedCall {
  /** HTTP status; `undefined` where no answer came. */
  readonly status: number | undefined;
  /** The wait in milliseconds that the marketplace asked for, where it did. */
  readonly retryAfterMs?: number | undefined;
}

/** Limits the calls of all processes of a machine. */
export interface RateLimiter {
  /** Resolves when a call may be made; rejects when `signal` has aborted or aborts the wait. */
  take(signal?: AbortSignal, by?: Priority): Promise<void>;
  /** Counts a call. A call that was refused with 429 pauses every process. */
  note(call: EndedCall): void;
  /** Returns the calls per hour that are allowed now; `undefined` is unlimited. */
  callsPerHour(): number | undefined;
  /** Returns the calls of the last hour; those of other processes may be missing for some seconds. */
  callsLastHour(): number;
  /**
   * Returns how long the last of this number of calls waits for its slot, in milliseconds, when no
   * other process makes calls.
   */
  waitMs(calls: number): number;
  /** Returns the current pause; `undefined` where there is none. */
  pause(): CallPause | undefined;
  /** Ends the pause, and forgets the limit that was learnt from refusals. */
  clear(): void;
  /**
   * Writes the counts that are not written yet; call it before the database is closed. Never
   * throws.
   */
  flush(): void;
}

const TOO_MANY_CALLS = 429;

/**
 * Creates a rate limiter. At most `requestsPerHour` calls fall into any hour, because the steady
 * rate leaves room for the burst. No wait is longer than two hours, even when the clock was put
 * back. Throws `RangeError` for a limit that is not a whole number of calls.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { database, clock, key, requestsPerHour: given, patienceMs } = options;
  if (given !== undefined) assertWhole(given);
  const slots = createSlots(database, key);
  const calls = createCallCount({ database, clock, key });
  const refusals = createRefusals({ database, clock, key, slots, calls, given });
  const callsPerHour = (row = slots.read()): number | undefined =>
    allowedCalls(given, toLearnedLimit(row), clock.now());

  /** Returns the milliseconds to wait; 0 when the slot was given. */
  const ask = (by: Priority): number => {
    const row = slots.read();
    const allowed = callsPerHour(row);
    const nowMs = clock.now();
    // No limit and no pause apply, so writing a slot for every call would be wasted.
    const isFree = row === undefined || (row.strikes === 0 && row.blocked_until_ms <= nowMs);
    if (allowed === undefined && isFree) return 0;
    return slots.take({ by, rate: toRate(allowed), nowMs });
  };

  return {
    async take(signal, by = "bulk") {
      signal?.throwIfAborted();
      let waitedMs = 0;
      for (let waitMs = ask(by); waitMs > 0; waitMs = ask(by)) {
        waitedMs += waitMs;
        assertPatient(waitedMs, patienceMs, clock.now() + waitMs);
        await clock.sleep(waitMs, signal);
      }
    },
    note({ status, retryAfterMs }) {
      if (status === TOO_MANY_CALLS) refusals.refused(retryAfterMs);
      else if (status !== undefined) refusals.accepted();
      calls.note();
    },
    callsPerHour: () => callsPerHour(),
    callsLastHour: () => calls.lastHour(),
    waitMs(count) {
      const row = slots.read();
      const nowMs = clock.now();
      const rate = toRate(callsPerHour(row));
      const waitMs = waitForSlotsMs(count, { rate, nowMs, tatMs: row?.tat_ms ?? 0 });
      return Math.max(waitMs, (toPause(row, nowMs)?.untilMs ?? nowMs) - nowMs);
    },
    pause: () => toPause(slots.read(), clock.now()),
    clear: () => refusals.clear(),
    flush() {
      try {
        calls.flush();
      } catch {
        // A count that is too low only leads to a lower learnt limit, so a failure here is ignored.
      }
    },
  };
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
