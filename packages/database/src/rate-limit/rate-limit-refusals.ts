/** Pauses and learnt limits after the marketplace has refused a call with 429. */

import type { Database } from "../sql/database.ts";
import type { Steps } from "../sql/steps.ts";
import type { CallCount } from "./call-count.ts";
import { allowedCalls, learnLimit } from "./learned-limit.ts";
import { type RateLimitRow, MAX_BLOCK_MS, type Slots } from "./slots.ts";

/**
 * First pause where the marketplace gives no time, in milliseconds: it may have meant one product
 * and not the rate.
 */
const FIRST_BLOCK_MS = 5_000;

/**
 * Pause after the call that follows is refused too, in milliseconds; each further one is twice as
 * long.
 */
const SECOND_BLOCK_MS = 60_000;

/** Refusals that last this long, in milliseconds, are about the hourly limit. */
const LASTING_MS = 300_000;

export interface RateLimitRefusalOptions {
  readonly database: Database;
  readonly key: string;
  readonly slots: Slots;
  readonly calls: CallCount;
  /** Calls per hour by flag or setting. */
  readonly given: number | undefined;
}

export interface RateLimitRefusals {
  /**
   * Pauses every process. `retryAfterMs` is the wait that the marketplace asked for, where it did.
   */
  refused(retryAfterMs: number | undefined, nowMs: number): Promise<void>;
  /** Ends the pause, because a call was accepted. */
  accepted(nowMs: number): Steps<void>;
  /** Forgets all refusals, and the limit that was learnt from them. */
  clear(): Steps<void>;
}

export function createRefusals(options: RateLimitRefusalOptions): RateLimitRefusals {
  const { database, key, slots } = options;
  const write = (change: Partial<RateLimitRow>): Steps<number> => {
    const values = { key, tat_ms: 0, ...change };
    return database.run(
      database.build
        .insertInto("budget")
        .values(values)
        .onConflict((conflict) => conflict.column("key").doUpdateSet(change)),
    );
  };

  return {
    async refused(retryAfterMs, nowMs) {
      const counted = await database.execute(options.calls.lastHour(nowMs));
      const refusal = { retryAfterMs, counted, given: options.given, now: nowMs };
      await database.transaction(function* writeRefusal() {
        yield* write(afterRefusal(yield* slots.read(), refusal));
      });
    },
    *accepted(nowMs) {
      const row = yield* slots.read();
      if (row === undefined || row.strikes === 0 || row.blocked_until_ms > nowMs) return;
      yield* write({ strikes: 0, probe_until_ms: 0 });
    },
    *clear() {
      const forgotten = { blocked_until_ms: 0, strikes: 0, probe_until_ms: 0 };
      if ((yield* slots.read()) !== undefined)
        yield* write({ ...forgotten, learnt_per_hour: null });
    },
  };
}

interface Refusal {
  readonly retryAfterMs: number | undefined;
  readonly counted: number;
  readonly given: number | undefined;
  readonly now: number;
}

/** The state of a rate limiter that was not used yet. */
const NEW: RateLimitRow = {
  tat_ms: 0,
  blocked_until_ms: 0,
  strikes: 0,
  probe_until_ms: 0,
  struck_at_ms: 0,
  struck_calls: 0,
  learnt_per_hour: null,
  learnt_at_ms: 0,
};

function afterRefusal(row: RateLimitRow = NEW, refusal: Refusal): Partial<RateLimitRow> {
  const { retryAfterMs, now } = refusal;
  const asked = Math.min(MAX_BLOCK_MS, retryAfterMs ?? 0);
  // A call that was under way when the first one was refused adds no information.
  const isPaused = row.blocked_until_ms > now && row.blocked_until_ms <= now + MAX_BLOCK_MS;
  if (isPaused) return { blocked_until_ms: Math.max(row.blocked_until_ms, now + asked) };

  const { strikes } = row;
  const ownMs = strikes === 0 ? FIRST_BLOCK_MS : doubled(SECOND_BLOCK_MS, strikes - 1);
  const { struck_at_ms, struck_calls } =
    strikes === 0 ? { struck_at_ms: now, struck_calls: refusal.counted } : row;
  const isLasting = asked >= LASTING_MS || now - struck_at_ms >= LASTING_MS;
  return {
    struck_at_ms,
    struck_calls,
    strikes: strikes + 1,
    blocked_until_ms: now + (retryAfterMs === undefined ? ownMs : asked),
    probe_until_ms: 0,
    ...(isLasting ? learn(row, refusal, struck_calls) : {}),
  };
}

const doubled = (ms: number, times: number): number =>
  Math.min(MAX_BLOCK_MS, ms * 2 ** Math.min(times, 6));

function learn(row: RateLimitRow, { given, now }: Refusal, counted: number): Partial<RateLimitRow> {
  const allowed = allowedCalls(given, toLearnedLimit(row), now);
  return { learnt_per_hour: learnLimit({ allowed, counted }), learnt_at_ms: now };
}

/** Returns the limit that a stored rate limiter has learnt. */
export function toLearnedLimit(row: RateLimitRow | undefined): Parameters<typeof allowedCalls>[1] {
  if (row === undefined || row.learnt_per_hour === null) return undefined;
  return { callsPerHour: row.learnt_per_hour, atMs: row.learnt_at_ms };
}
