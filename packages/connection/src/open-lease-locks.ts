/** The locks of one store between machines, as leases in the database. */

import type { Clock } from "@catalog/clock";
import type { Lease, Leases, LockHolder } from "@catalog/database";

import type { StoreLocks } from "./connection-groups.ts";

/** Opens the locks of the store; none is taken yet. */
export function openLeaseLocks(leases: Leases, clock: Clock): StoreLocks {
  const take = (name: string, command: string): Promise<Lease> =>
    leases.take(name, { command, pid: process.pid, sinceMs: clock.now() });
  const readHolders = async (): Promise<readonly LockHolder[]> => {
    const found = await Promise.all(["store", "feed"].map((name) => leases.readHolder(name)));
    return found.filter((holder) => holder !== undefined);
  };
  return {
    store: (command) => take("store", command),
    feeds: (command) => take("feed", command),
    schedule: (key) => take(`schedule ${key}`, "catalog sync --every"),
    scheduleHolder: (key) => leases.readHolder(`schedule ${key}`),
    schedules: (command) => take("schedules", command),
    schedulesHolder: () => leases.readHolder("schedules"),
    job: async ({ kind, key }) => {
      const lease = await take(`job ${kind} ${key}`, "catalog worker");
      return { ...lease, isHeld: () => lease.mayStillSend() };
    },
    jobHolder: ({ kind, key }) => leases.readHolder(`job ${kind} ${key}`),
    export: (key) => take(`export ${key}`, "export"),
    runsUnderWay: async () =>
      new Set((await readHolders()).flatMap(({ run }) => (run === undefined ? [] : [run]))),
    storeHolder: () => leases.readHolder("store"),
    holderOf: async (runId) => (await readHolders()).find(({ run }) => run === runId),
    takeOvers: () => leases.readTakeOvers(),
  };
}
