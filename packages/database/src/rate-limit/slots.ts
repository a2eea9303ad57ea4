/**
 * Slots of the rate limiter: one statement decides whether a call may be made now, so that two
 * processes cannot take the same slot.
 *
 * - `urgent` callers go before `bulk` ones: a waiting caller records that it waits, and callers of
 *   the other class leave the next slot to it. One slot in five goes to a bulk caller all the same.
 * - While the marketplace refuses calls there are no slots; after that one caller probes, and the
 *   others wait for its result.
 */

import type { Rate } from "@catalog/client/rate";
import { sql } from "kysely";

import type { Database, Steps } from "../sql/database.ts";

/** Priority of a call; short runs need not wait for a long one to end. */
export type Priority = "urgent" | "bulk";

/** The stored state of a rate limiter. */
export interface RateLimitRow {
  readonly tat_ms: number;
  readonly blocked_until_ms: number;
  readonly strikes: number;
  readonly probe_until_ms: number;
  readonly struck_at_ms: number;
  readonly struck_calls: number;
  readonly learnt_per_hour: number | null;
  readonly learnt_at_ms: number;
}

/** Longest pause that a refusal can cause, in milliseconds. */
export const MAX_BLOCK_MS = 3_600_000;

/**
 * Time after which a probe without a result is given up, because its process has died, in
 * milliseconds.
 */
const PROBE_MS = 120_000;

/**
 * Times of today are such large numbers that sums of them are exact only to this, in milliseconds.
 */
const ROUNDING_MS = 0.01;

/** Interval at which waiting callers check for another's probe or slot, in milliseconds. */
const POLL_MS = 1_000;

/** How long after its slot is due a waiting caller still counts as waiting, in milliseconds. */
const WAITING_MS = 2_000;

/** Consecutive urgent slots while a bulk caller waits. */
const MAX_IN_A_ROW = 4;

/**
 * Slots are reserved an hour ahead at most. A reservation further ahead was made before the clock
 * was put back: up to this limit it is waited for, beyond it is ignored.
 */
const MAX_AHEAD_MS = 2 * MAX_BLOCK_MS;

interface SlotRequest {
  readonly by: Priority;
  readonly rate: Rate;
  readonly nowMs: number;
}

export interface Slots {
  /** Returns the milliseconds to wait before asking again; 0 when the slot was given. */
  take(request: SlotRequest): Steps<number>;
  read(): Steps<RateLimitRow | undefined>;
}

export function createSlots(database: Database, key: string): Slots {
  const { build } = database;
  // Prepared, because every call reads it when it starts and when it has ended.
  const readKey = database.prepareGet<{ readonly key: string }, RateLimitRow>((arg) =>
    build.selectFrom("budget").selectAll().where("key", "=", arg("key")),
  );
  const read = (): Steps<RateLimitRow | undefined> => readKey({ key });
  return {
    read,
    *take(asking) {
      if (yield* reserveSlot(database, key, asking)) return 0;
      const waitMs = toWait(yield* read(), asking);
      // Callers of the other class leave the next slot to one that waits.
      const untilMs = asking.nowMs + waitMs + WAITING_MS;
      const until =
        asking.by === "urgent" ? { urgent_until_ms: untilMs } : { bulk_until_ms: untilMs };
      yield* database.run(build.updateTable("budget").set(until).where("key", "=", key));
      return waitMs;
    },
  };
}

function* reserveSlot(
  database: Database,
  key: string,
  { by, rate, nowMs }: SlotRequest,
): Steps<boolean> {
  const { stepMs, toleranceMs } = rate;
  const isAhead = (column: string, maxMs: number): ReturnType<typeof sql<boolean>> =>
    sql<boolean>`(${sql.ref(column)} > ${nowMs} AND ${sql.ref(column)} <= ${nowMs + maxMs})`;
  const latest = nowMs + MAX_AHEAD_MS;
  const from = sql<number>`(CASE WHEN budget.tat_ms > ${latest} OR budget.tat_ms < ${nowMs}
    THEN ${nowMs} ELSE budget.tat_ms END)`;
  const isOthersSlot =
    by === "urgent"
      ? sql<boolean>`(budget.streak >= ${MAX_IN_A_ROW} AND ${isAhead("budget.bulk_until_ms", MAX_BLOCK_MS)})`
      : sql<boolean>`(budget.streak < ${MAX_IN_A_ROW} AND ${isAhead("budget.urgent_until_ms", MAX_BLOCK_MS)})`;
  const mine = by === "urgent" ? { urgent_until_ms: 0 } : { bulk_until_ms: 0 };
  const changed = yield* database.run(
    database.build
      .insertInto("budget")
      .values({ key, tat_ms: nowMs + stepMs })
      .onConflict((conflict) =>
        conflict
          .column("key")
          .doUpdateSet({
            tat_ms: sql`${from} + ${stepMs}`,
            streak: by === "urgent" ? sql`budget.streak + 1` : 0,
            probe_until_ms: sql`CASE WHEN budget.strikes > 0 THEN CAST(${nowMs + PROBE_MS} AS DOUBLE PRECISION) ELSE 0 END`,
            ...mine,
          })
          .where(sql<boolean>`${from} - ${nowMs} <= ${toleranceMs + ROUNDING_MS}`)
          .where(sql<boolean>`NOT ${isAhead("budget.blocked_until_ms", MAX_BLOCK_MS)}`)
          .where(
            sql<boolean>`(budget.strikes = 0 OR NOT ${isAhead("budget.probe_until_ms", PROBE_MS)})`,
          )
          .where(sql<boolean>`NOT ${isOthersSlot}`),
      ),
  );
  return changed === 1;
}

/**
 * Returns when to ask again: at the end of a pause, at the next slot, or shortly where another
 * caller goes first.
 */
function toWait(row: RateLimitRow | undefined, { rate, nowMs }: SlotRequest): number {
  if (row === undefined) return POLL_MS;
  const blockedMs = row.blocked_until_ms - nowMs;
  if (blockedMs > 0 && blockedMs <= MAX_BLOCK_MS) return Math.ceil(blockedMs);
  const slotMs = Math.ceil(row.tat_ms - rate.toleranceMs - nowMs);
  return slotMs > 0 && slotMs <= MAX_AHEAD_MS ? slotMs : POLL_MS;
}

const MINUTE_MS = 60_000;
const MINUTES = 60;
/** Other processes see a call after this time at most, once another one is made. */
const WRITE_EVERY_MS = 5_000;

interface CallCount {
  /** Counts a call; the count is written with a call that comes some seconds later. */
  note(nowMs: number): Steps<void>;
  /** Returns the calls of the last sixty minutes, those of other processes included. */
  lastHour(nowMs: number): Steps<number>;
  /** Writes the counts that are not written yet. */
  flush(): Steps<void>;
}

export function createCallCount(database: Database, key: string): CallCount {
  const { build } = database;
  let minute = 0;
  let calls = 0;
  let writtenAtMs = 0;

  const flush = function* flush(): Steps<void> {
    if (calls === 0) return;
    const counted = { key, minute, calls };
    calls = 0;
    yield* addCalls(database, counted);
  };

  return {
    *note(nowMs) {
      const now = Math.floor(nowMs / MINUTE_MS);
      if (now !== minute || nowMs - writtenAtMs >= WRITE_EVERY_MS) {
        yield* flush();
        writtenAtMs = nowMs;
      }
      minute = now;
      calls += 1;
    },
    *lastHour(nowMs) {
      const now = Math.floor(nowMs / MINUTE_MS);
      const found = yield* database.get(
        build
          .selectFrom("call_minute")
          .select((select) => select.fn.sum<number | null>("calls").as("calls"))
          .where("key", "=", key)
          .where("minute", ">", now - MINUTES)
          .where("minute", "<=", now),
      );
      // Nothing is written for a question, which may come where the disk is full.
      return (found?.calls ?? 0) + (minute > now - MINUTES ? calls : 0);
    },
    flush,
  };
}

/** Adds calls to their minute, and forgets those of an hour before. */
function* addCalls(
  database: Database,
  counted: { readonly key: string; readonly minute: number; readonly calls: number },
): Steps<void> {
  const { build } = database;
  yield* database.run(
    build
      .insertInto("call_minute")
      .values(counted)
      .onConflict((conflict) =>
        conflict
          .columns(["key", "minute"])
          .doUpdateSet({ calls: sql`call_minute.calls + ${counted.calls}` }),
      ),
  );
  yield* database.run(
    build
      .deleteFrom("call_minute")
      .where("key", "=", counted.key)
      .where("minute", "<=", counted.minute - MINUTES),
  );
}

/** A limit that was learnt from a refusal, and the time of the refusal. */
interface LearnedLimit {
  readonly callsPerHour: number;
  readonly atMs: number;
}

/** The facts at the first of a series of refusals. */
interface RefusalFacts {
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

/**
 * Returns the calls per hour to allow after a lasting refusal, because the API specification does not
 * state the limit (section Limits). It is halved when it proves too high, and grows again while no call
 * is refused.
 */
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

interface RateLimitRefusalOptions {
  readonly database: Database;
  readonly key: string;
  readonly slots: Slots;
  readonly calls: CallCount;
  /** Calls per hour by flag or setting. */
  readonly given: number | undefined;
}

interface RateLimitRefusals {
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
