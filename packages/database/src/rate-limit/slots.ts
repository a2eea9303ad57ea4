/**
 * The turns of a budget: one statement decides whether a call may be made now, so two processes
 * cannot both take the last turn.
 *
 * - `urgent` callers pass `bulk` ones: who waits says so for as long as it waits, and the others
 *   let the next turn go. One turn in five is for bulk all the same.
 * - While the marketplace refuses calls there are no turns; when that is over one caller tries, and
 *   the others wait for how that ends.
 */

import { sql } from "kysely";

import { type Database } from "../sqlite/sqlite.ts";
import { type Rate } from "./rate.ts";

/** Short runs are not to wait for a long one to end. */
export type TurnClass = "urgent" | "bulk";

/** What is stored of a budget. */
export interface BudgetRow {
  readonly tat_ms: number;
  readonly blocked_until_ms: number;
  readonly strikes: number;
  readonly probe_until_ms: number;
  readonly struck_at_ms: number;
  readonly struck_calls: number;
  readonly learnt_per_hour: number | null;
  readonly learnt_at_ms: number;
}

/** Longest pause that a refusal can cause. */
export const LONGEST_BLOCK_MS = 3_600_000;

/** After this a try that nobody tells the end of is given up: its process has died. */
const PROBE_MS = 120_000;

/** Times of today are numbers so large that sums of them are only this exact. */
const ROUNDING_MS = 0.01;

/** How often those who wait for another's try or turn look again. */
const POLL_MS = 1_000;

/** Who said that it waits is believed for this long after its turn has come. */
const CLAIM_MS = 2_000;

/** Urgent turns in a row while a bulk caller waits. */
const MOST_IN_A_ROW = 4;

/**
 * Turns are booked an hour ahead at most. What lies further was booked before the clock was put
 * back: by less than an hour it is waited for, beyond that it would never come and is forgotten.
 */
const FURTHEST_AHEAD_MS = 2 * LONGEST_BLOCK_MS;

export interface Turns {
  /** Milliseconds to wait before asking again, 0 when the turn is ours. */
  take(turn: { readonly by: TurnClass; readonly rate: Rate; readonly nowMs: number }): number;
  read(): BudgetRow | undefined;
}

interface Asking {
  readonly by: TurnClass;
  readonly rate: Rate;
  readonly nowMs: number;
}

export function createTurns(database: Database, key: string): Turns {
  const { build } = database;
  // Every call asks for it, when it begins and when it has ended.
  const readKey = database.prepareGet<{ readonly key: string }, BudgetRow>((arg) =>
    build.selectFrom("budget").selectAll().where("key", "=", arg("key")),
  );
  const read = (): BudgetRow | undefined => readKey({ key });
  return {
    read,
    take(asking) {
      if (book(database, key, asking)) return 0;
      const waitMs = toWait(read(), asking);
      claim(database, key, { by: asking.by, untilMs: asking.nowMs + waitMs + CLAIM_MS });
      return waitMs;
    },
  };
}

function book(database: Database, key: string, { by, rate, nowMs }: Asking): boolean {
  const { stepMs, toleranceMs } = rate;
  const isAhead = (column: string, mostMs: number): ReturnType<typeof sql<boolean>> =>
    sql<boolean>`(${sql.ref(column)} > ${nowMs} AND ${sql.ref(column)} <= ${nowMs + mostMs})`;
  const latest = nowMs + FURTHEST_AHEAD_MS;
  const from = sql<number>`max(iif(budget.tat_ms > ${latest}, 0, budget.tat_ms), ${nowMs})`;
  const isOthersTurn =
    by === "urgent"
      ? sql<boolean>`(budget.streak >= ${MOST_IN_A_ROW} AND ${isAhead("budget.bulk_until_ms", LONGEST_BLOCK_MS)})`
      : sql<boolean>`(budget.streak < ${MOST_IN_A_ROW} AND ${isAhead("budget.urgent_until_ms", LONGEST_BLOCK_MS)})`;
  const mine = by === "urgent" ? { urgent_until_ms: 0 } : { bulk_until_ms: 0 };
  const changed = database.run(
    database.build
      .insertInto("budget")
      .values({ key, tat_ms: nowMs + stepMs })
      .onConflict((conflict) =>
        conflict
          .column("key")
          .doUpdateSet({
            tat_ms: sql`${from} + ${stepMs}`,
            streak: by === "urgent" ? sql`budget.streak + 1` : 0,
            probe_until_ms: sql`iif(budget.strikes > 0, ${nowMs + PROBE_MS}, 0)`,
            ...mine,
          })
          .where(sql<boolean>`${from} - ${nowMs} <= ${toleranceMs + ROUNDING_MS}`)
          .where(sql<boolean>`NOT ${isAhead("budget.blocked_until_ms", LONGEST_BLOCK_MS)}`)
          .where(
            sql<boolean>`(budget.strikes = 0 OR NOT ${isAhead("budget.probe_until_ms", PROBE_MS)})`,
          )
          .where(sql<boolean>`NOT ${isOthersTurn}`),
      ),
  );
  return changed === 1;
}

/** When to ask again: at the end of a pause, at the next turn, or soon where another is before us. */
function toWait(row: BudgetRow | undefined, { rate, nowMs }: Asking): number {
  if (row === undefined) return POLL_MS;
  const blockedMs = row.blocked_until_ms - nowMs;
  if (blockedMs > 0 && blockedMs <= LONGEST_BLOCK_MS) return Math.ceil(blockedMs);
  const turnMs = Math.ceil(row.tat_ms - rate.toleranceMs - nowMs);
  return turnMs > 0 && turnMs <= FURTHEST_AHEAD_MS ? turnMs : POLL_MS;
}

interface Claim {
  readonly by: TurnClass;
  readonly untilMs: number;
}

/** Says that a caller waits, so that the other class can tell. */
function claim(database: Database, key: string, { by, untilMs }: Claim): void {
  const until = by === "urgent" ? { urgent_until_ms: untilMs } : { bulk_until_ms: untilMs };
  database.run(database.build.updateTable("budget").set(until).where("key", "=", key));
}
