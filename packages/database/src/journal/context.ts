import { type Clock } from "@catalog/clock";
import { type SelectQueryBuilder } from "kysely";

import { type Schema } from "../sqlite/schema.ts";
import { type Database } from "../sqlite/sqlite.ts";

/** The runs of feeds go on beside the others, so each of the two settles only what its own left. */
export type JournalLane = "runs" | "feeds";

/** What each part of a journal works with. */
export interface JournalRoom {
  readonly database: Database;
  readonly clock: Clock;
  /** Number of the store in the `store` table. */
  readonly store: number;
  /** Whose open requests are recovered and settled. */
  readonly lane: JournalLane;
}

/**
 * The run's id, and nothing when the run is another store's. Rows are asked for by comparing with
 * it, so no journal reads or moves a row of another store.
 */
export function selectRun(
  { database, store }: Pick<JournalRoom, "database" | "store">,
  runId: string,
): SelectQueryBuilder<Schema, "run", { id: string }> {
  return database.build
    .selectFrom("run")
    .select("id")
    .where("id", "=", runId)
    .where("store", "=", store);
}
