/** All calls of one store by kind and outcome, over every process that opens the database. */

import type { Clock } from "@catalog/clock";
import { sql } from "kysely";

import type { Database } from "../sql/database.ts";
import type { Steps } from "../sql/steps.ts";
import { readStoreKey, type StoreAddress } from "../store-key.ts";

/** A call as it is counted. */
export interface CountedCall {
  readonly kind: string;
  readonly outcome: string;
}

/** The number of calls of one kind and outcome. */
export interface CallTotal extends CountedCall {
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

export interface CallTotalsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: StoreAddress;
}

/** Other processes see a call after this time at most, once another one is made. */
const WRITE_EVERY_MS = 5_000;

/** A process that dies loses the calls of its last seconds; all others are counted once. */
export function createCallTotals(options: CallTotalsOptions): CallTotals {
  const { database, clock } = options;
  const store = readStoreKey(database, options.store);
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
