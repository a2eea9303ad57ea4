/** The calls of each run, minute by minute, and how many were allowed then; kept as long as the run. */

import { sql } from "kysely";

import { type Database } from "../sqlite/sqlite.ts";

/** The calls of one minute. */
export interface CallMinute {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly calls: number;
  /** Calls an hour that were allowed then, by setting or as learnt; `null` is unlimited. */
  readonly perHour: number | null;
}

/** When runs made their calls. */
export interface CallLog {
  /** Adds to what is known of these minutes of the run, which must be there. */
  add(runId: string, minutes: readonly CallMinute[]): void;
  /** Minutes with calls, in their order. */
  read(runId: string): readonly CallMinute[];
}

/** The call log of every run in the database. */
export function createCallLog(database: Database): CallLog {
  const { build } = database;
  return {
    add(runId, minutes) {
      database.transaction(() => {
        for (const { minute, calls, perHour } of minutes) {
          database.run(
            build
              .insertInto("run_call_minute")
              .values({ run_id: runId, minute, calls, per_hour: perHour })
              .onConflict((conflict) =>
                conflict.columns(["run_id", "minute"]).doUpdateSet({
                  calls: sql`run_call_minute.calls + ${calls}`,
                  per_hour: perHour,
                }),
              ),
          );
        }
      });
    },
    read(runId) {
      return database
        .all(
          build
            .selectFrom("run_call_minute")
            .select(["minute", "calls", "per_hour"])
            .where("run_id", "=", runId)
            .orderBy("minute"),
        )
        .map(({ minute, calls, per_hour }) => ({ minute, calls, perHour: per_hour }));
    },
  };
}
