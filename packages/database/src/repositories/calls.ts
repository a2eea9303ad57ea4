/** The calls of each run by minute, kept as long as the run, and all calls of a store by kind and outcome. */

import { sql } from "kysely";

import type { RepositoryOptions } from "../locks/leases.ts";
import type { Database, Steps } from "../sql/database.ts";

/** The calls of one minute. */
interface CallMinute {
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

/** A call as it is counted. */
interface CountedCall {
  readonly kind: string;
  readonly outcome: string;
}

/** The number of calls of one kind and outcome. */
interface CallTotal extends CountedCall {
  readonly calls: number;
}

/** Counts the calls of a store. */
export interface CallTotals {
  /** Counts a call; the counts are written with a call that comes some seconds later. */
  note(call: CountedCall): void;
  /** Returns the counts; those of other processes may be missing for some seconds. */
  read(): Promise<readonly CallTotal[]>;
  /**
   * Writes the counts that are not written yet; call it before the database is closed. Never
   * rejects.
   */
  flush(): Promise<void>;
}

/** Other processes see a call after this time at most, once another one is made. */
const WRITE_EVERY_MS = 5_000;

/** A process that dies loses the calls of its last seconds; all others are counted once. */
export function createCallTotals(options: RepositoryOptions): CallTotals {
  const { database, clock } = options;
  const store = database.storeKey(options.store);
  const unwritten = new Map<string, CallTotal>();
  let writtenAtMs = clock.now();
  let lastWrite = Promise.resolve();

  const count = ({ kind, outcome }: CountedCall, calls: number): void => {
    const key = `${kind} ${outcome}`;
    const sum = calls + (unwritten.get(key)?.calls ?? 0);
    unwritten.set(key, { kind, outcome, calls: sum });
  };
  const write = async (transact: Transact): Promise<void> => {
    if (unwritten.size === 0) return;
    const totals = [...unwritten.values()];
    unwritten.clear();
    try {
      await transact(() => addTotals(database, store, totals));
    } catch {
      // A count must not end the work that makes the calls: it is written with a later one.
      for (const total of totals) count(total, total.calls);
    }
  };
  const writeNext = (transact: Transact): Promise<void> => {
    writtenAtMs = clock.now();
    lastWrite = lastWrite.then(() => write(transact));
    return lastWrite;
  };
  const writeAtOnce = (): Promise<void> => writeNext((work) => database.transactionAtOnce(work));
  return {
    note(call) {
      count(call, 1);
      if (Math.abs(clock.now() - writtenAtMs) >= WRITE_EVERY_MS) void writeAtOnce();
    },
    async read() {
      await writeAtOnce();
      const totals = database.build.selectFrom("call_total").where("store", "=", store);
      const query = totals.select(["kind", "outcome", "calls"]).orderBy("kind").orderBy("outcome");
      return await database.execute(database.all(query));
    },
    flush: () => writeNext((work) => database.transactionUnsynced(work)),
  };
}

type Transact = (work: () => Steps<void>) => Promise<void>;

function* addTotals(
  { build, run }: Database,
  store: number,
  totals: readonly CallTotal[],
): Steps<void> {
  for (const { kind, outcome, calls } of totals) {
    yield* run(
      build
        .insertInto("call_total")
        .values({ store, kind, outcome, calls })
        .onConflict((conflict) =>
          conflict
            .columns(["store", "kind", "outcome"])
            .doUpdateSet({ calls: sql`call_total.calls + ${calls}` }),
        ),
    );
  }
}
