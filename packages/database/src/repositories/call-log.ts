/** The calls of each run by minute, and the limit at that time; kept as long as the run. */

import { sql } from "kysely";

import type { Database } from "../sql/database.ts";

/** The calls of one minute. */
export interface CallMinute {
  /** Number of the minute since 1970. */
  readonly minute: number;
  readonly calls: number;
  /** Calls per hour that were allowed then, by setting or as learnt; `null` is unlimited. */
  readonly perHour: number | null;
}

/** Calls of runs by time. */
export interface CallLog {
  /** Adds to the counts of these minutes; the run must exist. */
  add(runId: string, minutes: readonly CallMinute[]): Promise<void>;
  /** Returns the minutes that have calls, in ascending order. */
  read(runId: string): Promise<readonly CallMinute[]>;
}

/** The call log of every run in the database. */
export function createCallLog(database: Database): CallLog {
  const { build } = database;
  return {
    async add(runId, minutes) {
      await database.transaction(function* addAll() {
        for (const { minute, calls, perHour } of minutes) {
          yield* database.run(
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
    async read(runId) {
      const query = build
        .selectFrom("run_call_minute")
        .select(["minute", "calls", "per_hour"])
        .where("run_id", "=", runId)
        .orderBy("minute");
      const found = await database.execute(database.all(query));
      return found.map(({ minute, calls, per_hour }) => ({ minute, calls, perHour: per_hour }));
    },
  };
}
