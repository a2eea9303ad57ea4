/**
 * Calls per hour, shared by every process that opens the same database: a generic cell rate
 * algorithm (GCRA) in one statement, so two processes cannot both take the last turn.
 */

import { type Clock } from "@catalog/clock";
import { sql } from "kysely";

import { type Database } from "./database/sqlite.ts";

/** Who shares a budget, and how large it is. */
export interface BudgetOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** What shares the budget: budgets of the same key, in whatever process, take from one. */
  readonly key: string;
  /** At least 1. */
  readonly requestsPerHour: number;
}

/** Resolves when a call may be made; rejects when `signal` has aborted or aborts the wait. */
export type Budget = (signal?: AbortSignal) => Promise<void>;

const HOUR_MS = 3_600_000;

/** Share of the hour's calls that may be made at once after a quiet time. */
const BURST_SHARE = 0.1;

/**
 * Turns are booked an hour ahead at most. What lies further was booked before the clock was put
 * back: by less than an hour it is waited for, beyond that it would never come and is forgotten.
 */
const FURTHEST_AHEAD_MS = 2 * HOUR_MS;

/**
 * At most `requestsPerHour` calls fall into any hour: the steady rate leaves room for the burst.
 * No single wait is longer than two hours, even when the clock was put back. Throws `RangeError` for a budget that is not a whole
 * number of calls.
 */
export function createBudget({ database, clock, key, requestsPerHour }: BudgetOptions): Budget {
  if (!Number.isInteger(requestsPerHour) || requestsPerHour < 1) {
    throw new RangeError(`requestsPerHour must be a positive integer, got ${requestsPerHour}`);
  }
  const burst = Math.max(1, Math.floor(requestsPerHour * BURST_SHARE));
  const stepMs = HOUR_MS / Math.max(1, requestsPerHour - burst);
  const toleranceMs = (burst - 1) * stepMs;

  /** Milliseconds to wait, 0 when the turn is ours. */
  const take = (): number => {
    const now = clock.now();
    const latest = now + FURTHEST_AHEAD_MS;
    const from = sql<number>`max(iif(budget.tat_ms > ${latest}, 0, budget.tat_ms), ${now})`;
    const granted = database.run(
      database.build
        .insertInto("budget")
        .values({ key, tat_ms: now + stepMs })
        .onConflict((conflict) =>
          conflict
            .column("key")
            .doUpdateSet({ tat_ms: sql`${from} + ${stepMs}` })
            .where(sql<boolean>`${from} - ${now} <= ${toleranceMs}`),
        ),
    );
    return granted === 1 ? 0 : Math.max(1, Math.ceil(readTat() - toleranceMs - now));
  };
  const readTat = (): number =>
    database.get(database.build.selectFrom("budget").select("tat_ms").where("key", "=", key))
      ?.tat_ms ?? 0;

  return async (signal) => {
    signal?.throwIfAborted();
    for (let waitMs = take(); waitMs > 0; waitMs = take()) await clock.sleep(waitMs, signal);
  };
}
