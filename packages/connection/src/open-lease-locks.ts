/** The locks of one store between machines, as leases in the database. */

import { randomUUID } from "node:crypto";

import type { Clock } from "@catalog/clock";
import type { Lease, Leases, LockHolder } from "@catalog/database";

import type { StoreLocks } from "./connection-groups.ts";

export interface LeaseLocksOptions {
  /** The leases of the store, and those of what serves many stores. */
  readonly leases: Leases;
  readonly workers: Leases;
  /** Number of the store. */
  readonly storeKey: number;
  readonly clock: Clock;
}

/** Opens the locks of the store; none is taken yet. */
export function openLeaseLocks(options: LeaseLocksOptions): StoreLocks {
  const { leases, workers, storeKey, clock } = options;
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
    // Every worker of a server may start them, and says for which stores it does.
    async schedules(command, stores = [storeKey]) {
      await workers.deleteOld();
      const holder = { command, pid: process.pid, sinceMs: clock.now(), stores };
      return await workers.take(`schedules ${randomUUID()}`, holder);
    },
    async schedulesHolder() {
      const found = await workers.readHolders("schedules");
      const serving = found.filter(({ stores }) => stores?.includes(storeKey));
      return serving.find(({ command }) => command === "catalog worker") ?? serving[0];
    },
    export: (key) => take(`export ${key}`, "export"),
    runsUnderWay: async () =>
      new Set((await readHolders()).flatMap(({ run }) => (run === undefined ? [] : [run]))),
    storeHolder: () => leases.readHolder("store"),
    holderOf: async (runId) => (await readHolders()).find(({ run }) => run === runId),
    takeOvers: () => leases.readTakeOvers(),
  };
}
