import type { Clock } from "@catalog/clock";
import type { SelectQueryBuilder } from "kysely";

import type { LeasedDatabase } from "../locks/leased-database.ts";
import type { Leases } from "../locks/leases.ts";
import type { Database, Queries } from "../sql/database.ts";
import type { Schema } from "../sql/schema.ts";
import type { Steps } from "../sql/steps.ts";

/**
 * Kind of the runs that a journal works for: runs of feeds go on beside the others, so each kind
 * recovers and reconciles only its own rows.
 */
export type RunKind = "runs" | "feeds";

/** What code needs that makes steps of a transaction of its caller's. */
export interface StepsContext {
  readonly database: Queries & Pick<Database, "dialect">;
  readonly clock: Clock;
  /** Number of the store in the `store` table. */
  readonly store: number;
}

/** The context that every part of a journal gets. */
export interface JournalContext extends StepsContext {
  readonly database: LeasedDatabase;
  /** Kind of the runs whose open requests are recovered and reconciled. */
  readonly runKind: RunKind;
  /** Folder of the markers where the database is a server. @default nothing is proven */
  readonly markersFolder?: string | undefined;
  /** Leases of this process; where the database is a file, locks of the system stand for them. */
  readonly leases?: Pick<Leases, "held" | "assertHeld"> | undefined;
}

/**
 * Selects the run's id, or nothing when the run belongs to another store. Every query for rows
 * compares with it, so that no journal reads or moves a row of another store.
 */
export function selectRun(
  { database, store }: Pick<StepsContext, "database" | "store">,
  runId: string,
): SelectQueryBuilder<Schema, "run", { id: string }> {
  return database.build
    .selectFrom("run")
    .select("id")
    .where("id", "=", runId)
    .where("store", "=", store);
}

/** Returns the function that says whether a run belongs to the store, for code that asks often. */
export function prepareHasRun(context: JournalContext): (runId: string) => Steps<boolean> {
  const find = context.database.prepareGet<{ readonly runId: string }, object>((arg) =>
    selectRun(context, arg("runId")),
  );
  // No run is ever deleted, and code asks for the same one again and again.
  let known: string | undefined;
  return function* hasRun(runId) {
    if (runId === known) return true;
    const isOurs = (yield* find({ runId })) !== undefined;
    if (isOurs) known = runId;
    return isOurs;
  };
}
