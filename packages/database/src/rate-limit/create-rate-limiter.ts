/**
 * Calls per hour, shared by every process that opens the same database: a generic cell rate
 * algorithm (GCRA), a pause for all when the marketplace says that there were too many calls, and
 * what is learnt from that.
 */

import { type Clock } from "@catalog/clock";
import { formatDateTime } from "@catalog/i18n";

import { StoreError } from "../errors.ts";
import { type Database } from "../sqlite/sqlite.ts";
import { createCallCount } from "./call-count.ts";
import { allowedCalls } from "./learned-limit.ts";
import { createRefusals, toLearnt } from "./rate-limit-refusals.ts";
import { toRate, waitForTurnsMs } from "./rate.ts";
import { type BudgetRow, createTurns, LONGEST_BLOCK_MS, type TurnClass } from "./slots.ts";

/** Who shares a budget, and how large it is. */
export interface BudgetOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** What shares the budget: budgets of the same key, in whatever process, take from one. */
  readonly key: string;
  /** At least 1. @default what was learnt from refusals, else unlimited */
  readonly requestsPerHour?: number | undefined;
  /** A turn that is further away is refused with `E_CALLS_PAUSED`. @default it is waited for */
  readonly patienceMs?: number | undefined;
}

/** A pause of all calls, which the marketplace has caused. */
export interface CallPause {
  readonly untilMs: number;
  /** When the marketplace began to refuse calls. */
  readonly sinceMs: number;
  /** Refusals in a row. */
  readonly refusals: number;
}

/** How a call that had a turn ended. */
export interface EndedCall {
  /** `undefined` where no answer came. */
  readonly status: number | undefined;
  /** How long the marketplace asked us to wait, when it did. */
  readonly retryAfterMs?: number | undefined;
}

/** The calls that all processes of a machine may make. */
export interface Budget {
  /** Resolves when a call may be made; rejects when `signal` has aborted or aborts the wait. */
  take(signal?: AbortSignal, by?: TurnClass): Promise<void>;
  /** Counts a call. One that was refused for too many calls pauses every process. */
  note(call: EndedCall): void;
  /** Calls an hour that are allowed now; `undefined` is unlimited. */
  callsPerHour(): number | undefined;
  /** How long the last of so many calls waits for its turn, from now on and when nobody else asks. */
  waitMs(calls: number): number;
  /** The pause that keeps calls back now, where there is one. */
  pause(): CallPause | undefined;
  /** Ends the pause, and forgets what refusals have taught about the hourly limit. */
  clear(): void;
  /** Writes down what was counted; belongs before the database is closed. Never fails. */
  flush(): void;
}

const TOO_MANY_CALLS = 429;

/**
 * At most `requestsPerHour` calls fall into any hour: the steady rate leaves room for the burst.
 * No single wait is longer than two hours, even when the clock was put back. Throws `RangeError`
 * for a budget that is not a whole number of calls.
 */
export function createBudget(options: BudgetOptions): Budget {
  const { database, clock, key, requestsPerHour, patienceMs } = options;
  if (requestsPerHour !== undefined) assertWhole(requestsPerHour);
  const turns = createTurns(database, key);
  const calls = createCallCount({ database, clock, key });
  const given = requestsPerHour;
  const refusals = createRefusals({ database, clock, key, turns, calls, given });
  const callsPerHour = (row = turns.read()): number | undefined =>
    allowedCalls(given, toLearnt(row), clock.now());

  /** Milliseconds to wait, 0 when the turn is ours. */
  const ask = (by: TurnClass): number => {
    const row = turns.read();
    const allowed = callsPerHour(row);
    const nowMs = clock.now();
    // Nothing to be booked: a write for every call would be for nothing.
    const isFree = row === undefined || (row.strikes === 0 && row.blocked_until_ms <= nowMs);
    if (allowed === undefined && isFree) return 0;
    return turns.take({ by, rate: toRate(allowed), nowMs });
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
    waitMs(count) {
      const row = turns.read();
      const nowMs = clock.now();
      const rate = toRate(callsPerHour(row));
      const waitMs = waitForTurnsMs(count, { rate, nowMs, tatMs: row?.tat_ms ?? 0 });
      return Math.max(waitMs, (toPause(row, nowMs)?.untilMs ?? nowMs) - nowMs);
    },
    pause: () => toPause(turns.read(), clock.now()),
    clear: () => refusals.clear(),
    flush() {
      try {
        calls.flush();
      } catch {
        // A count that is too low teaches a lower limit; that is no reason to end badly.
      }
    },
  };
}

function assertWhole(requestsPerHour: number): void {
  if (Number.isInteger(requestsPerHour) && requestsPerHour > 0) return;
  throw new RangeError(`requestsPerHour must be a positive integer, got ${requestsPerHour}`);
}

/** What lies further ahead than the longest pause was written before the clock was put back. */
function toPause(row: BudgetRow | undefined, nowMs: number): CallPause | undefined {
  if (row === undefined) return undefined;
  const { blocked_until_ms: untilMs, struck_at_ms: sinceMs, strikes: refusals } = row;
  const isOn = untilMs > nowMs && untilMs <= nowMs + LONGEST_BLOCK_MS;
  return isOn ? { untilMs, sinceMs, refusals } : undefined;
}

const TIME = { timeStyle: "short" } as const;

function assertPatient(waitedMs: number, patienceMs: number | undefined, untilMs: number): void {
  if (patienceMs === undefined || waitedMs <= patienceMs) return;
  const detail = {
    tr: formatDateTime(untilMs, "tr", TIME),
    en: formatDateTime(untilMs, "en", TIME),
  };
  throw new StoreError("E_CALLS_PAUSED", detail);
}
