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

import type { Database } from "../sql/database.ts";
import type { Steps } from "../sql/steps.ts";

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

export interface Slots {
  /** Returns the milliseconds to wait before asking again; 0 when the slot was given. */
  take(priority: {
    readonly by: Priority;
    readonly rate: Rate;
    readonly nowMs: number;
  }): Steps<number>;
  read(): Steps<RateLimitRow | undefined>;
}

interface SlotRequest {
  readonly by: Priority;
  readonly rate: Rate;
  readonly nowMs: number;
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
      yield* noteWaiting(database, key, {
        by: asking.by,
        untilMs: asking.nowMs + waitMs + WAITING_MS,
      });
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

interface WaitingCaller {
  readonly by: Priority;
  readonly untilMs: number;
}

/** Records that a caller waits, for callers of the other class. */
function noteWaiting(
  database: Database,
  key: string,
  { by, untilMs }: WaitingCaller,
): Steps<number> {
  const until = by === "urgent" ? { urgent_until_ms: untilMs } : { bulk_until_ms: untilMs };
  return database.run(database.build.updateTable("budget").set(until).where("key", "=", key));
}
