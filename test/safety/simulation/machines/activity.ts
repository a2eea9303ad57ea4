/** Work on the real database that is under way, for which a world waits before its next event. */

import type { Clock } from "@catalog/clock";
import type { Database } from "@catalog/database/testing";

export interface Activity {
  /** Counts work while it lasts. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** A clock of which work waits; the world goes on meanwhile. */
  toClock(clock: Clock, onWake: () => Promise<void>): Clock;
  /** Resolves once all of it has come to rest. */
  drain(): Promise<void>;
}

/** Rounds of the event loop in which what an answer has started begins its own work. */
const ROUNDS = 3;

export function createActivity(): Activity {
  let count = 0;
  let onRest: (() => void) | undefined;
  const leave = (): void => {
    count -= 1;
    if (count === 0) onRest?.();
  };
  const rest = (): Promise<void> =>
    count === 0 ? Promise.resolve() : new Promise((resolve) => (onRest = resolve));
  const run: Activity["run"] = async (work) => {
    count += 1;
    try {
      return await work();
    } finally {
      leave();
    }
  };
  return {
    run,
    toClock: (clock, onWake) => ({
      now: () => Math.floor(clock.now()),
      async sleep(ms, signal) {
        leave();
        try {
          await clock.sleep(ms, signal);
        } finally {
          count += 1;
        }
        await onWake();
      },
    }),
    async drain() {
      for (let round = 0; round < ROUNDS; round += 1) {
        if (count > 0) round = 0;
        await rest();
        await new Promise(setImmediate);
      }
    },
  };
}

/** The database, whose calls are counted; `before` comes before each. */
export function watchDatabase(
  database: Database,
  { run }: Pick<Activity, "run">,
  before: () => Promise<void> = () => Promise.resolve(),
): Database {
  const counted = <Result>(work: () => Promise<Result>): Promise<Result> =>
    run(async () => {
      await before();
      return await work();
    });
  return {
    ...database,
    execute: (steps) => counted(() => database.execute(steps)),
    transaction: (work) => counted(() => database.transaction(work)),
    transactionUnsynced: (work) => counted(() => database.transactionUnsynced(work)),
    transactionAtOnce: (work) => counted(() => database.transactionAtOnce(work)),
    snapshot: (work) => counted(() => database.snapshot(work)),
  };
}
