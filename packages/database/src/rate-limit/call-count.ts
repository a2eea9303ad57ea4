/** Counts the calls of the last hour by minute, over every process of the machine. */

import { sql } from "kysely";

import type { Database } from "../sql/database.ts";
import type { Steps } from "../sql/steps.ts";

const MINUTE_MS = 60_000;
const MINUTES = 60;
/** Other processes see a call after this time at most, once another one is made. */
const WRITE_EVERY_MS = 5_000;

export interface CallCount {
  /** Counts a call; the count is written with a call that comes some seconds later. */
  note(nowMs: number): Steps<void>;
  /** Returns the calls of the last sixty minutes, those of other processes included. */
  lastHour(nowMs: number): Steps<number>;
  /** Writes the counts that are not written yet. */
  flush(): Steps<void>;
}

export interface CallCountOptions {
  readonly database: Database;
  readonly key: string;
}

export function createCallCount({ database, key }: CallCountOptions): CallCount {
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
