/**
 * The locks of one store against other processes: files in the home, or leases where several
 * machines share a database.
 */

import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";

import type { JobLocks } from "../repositories/jobs.ts";
import type { StoreAddress } from "../sql/database.ts";
import type { Lease, Leases, LeaseTakeOvers } from "./leases.ts";
import { lockFile, readLockHolder } from "./lock-files.ts";
import type { LockHolder } from "./processes.ts";

/** A lock that is held until it is disposed of or the process dies. */
export interface StoreLock extends AsyncDisposable {
  /** Writes the id of the holder's run into the note. */
  nameRun(runId: string): Promise<void>;
}

/**
 * Locks against other processes. Each rejects with `DatabaseError` `E_STORE_BUSY` while another
 * process holds the same lock.
 */
export interface StoreLocks {
  /** Excludes other processes from the store. */
  store(command: string): Promise<StoreLock>;
  /** Excludes other syncs of the store; imports may run. */
  feeds(command: string): Promise<StoreLock>;
  /** Excludes a second schedule of the feed `key`. */
  schedule(key: string): Promise<AsyncDisposable>;
  /** The process that runs the schedule `key` by itself; `undefined` for none. Locks nothing. */
  scheduleHolder(key: string): Promise<LockHolder | undefined>;
  /**
   * Says that this process starts what the store's schedules say, or those of these stores of a
   * server. Where the database is a file, it excludes other processes from it.
   */
  schedules(command: string, stores?: readonly number[]): Promise<AsyncDisposable>;
  /** A process that starts what the schedules say, a worker first; `undefined` for none. Locks nothing. */
  schedulesHolder(): Promise<LockHolder | undefined>;
  /** Excludes other processes from the export `key`; other work on the store may go on. */
  export(key: string): Promise<AsyncDisposable>;
  /** Ids of the runs on which a process is working now; locks nothing. */
  runsUnderWay(): Promise<ReadonlySet<string>>;
  /** The process that works on the store now; `undefined` for none. Locks nothing. */
  storeHolder(): Promise<LockHolder | undefined>;
  /** The process that works on the run now; `undefined` for none. Locks nothing. */
  holderOf(runId: string): Promise<LockHolder | undefined>;
  /**
   * Reads how often locks were taken that their holders had not given back; none where the database
   * is a file, whose locks end with their process.
   */
  takeOvers(): Promise<readonly LeaseTakeOvers[]>;
}

interface FileLockPlace {
  readonly home: string;
  /** The canonical address. */
  readonly store: StoreAddress;
  readonly clock: Pick<Clock, "now">;
}

/** Opens the locks of the store and of its jobs as files in the home; none is taken yet. */
export function openFileLocks({ home, store, clock }: FileLockPlace): {
  readonly locks: StoreLocks;
  readonly jobLocks: JobLocks;
} {
  /** Path of a lock for the part `of` the store; an empty `of` is the whole store. */
  const pathOf = (kind: LockKind, of = ""): string => {
    const key = `${store.baseUrl} ${store.storeId}${of}`;
    const hash = createHash("sha256").update(key).digest("hex");
    return join(home, `${kind}-${hash.slice(0, 16)}.lock`);
  };
  const lock = async (kind: LockKind, of: string, command: string): Promise<StoreLock> => {
    const holder = { command, pid: process.pid, sinceMs: clock.now() };
    const file = lockFile({ path: pathOf(kind, of), holder });
    return {
      nameRun: async (runId) => file.nameRun(runId),
      [Symbol.asyncDispose]: async () => file[Symbol.dispose](),
    };
  };
  const storeHolder = async (): Promise<LockHolder | undefined> => readLockHolder(pathOf("store"));
  const readHolders = (): readonly LockHolder[] =>
    (["store", "feed"] as const).flatMap((kind) => readLockHolder(pathOf(kind)) ?? []);
  return {
    locks: {
      store: (command) => lock("store", "", command),
      feeds: (command) => lock("feed", "", command),
      schedule: (key) => lock("schedule", ` ${key}`, "catalog sync --every"),
      scheduleHolder: async (key) => readLockHolder(pathOf("schedule", ` ${key}`)),
      schedules: (command) => lock("schedules", "", command),
      schedulesHolder: async () => readLockHolder(pathOf("schedules")),
      export: (key) => lock("export", ` ${key}`, "export"),
      runsUnderWay: async () => toRuns(readHolders()),
      storeHolder,
      holderOf: async (runId) => readHolders().find(({ run }) => run === runId),
      takeOvers: async () => [],
    },
    jobLocks: {
      job: ({ kind, key }) => lock("job", ` ${kind} ${key}`, "catalog worker"),
      jobHolder: async ({ kind, key }) => readLockHolder(pathOf("job", ` ${kind} ${key}`)),
      storeHolder,
    },
  };
}

type LockKind = "store" | "feed" | "schedule" | "schedules" | "job" | "export";

interface LeaseLockPlace {
  /** The leases of the store, and those of what serves many stores. */
  readonly leases: Leases;
  readonly workers: Leases;
  /** Number of the store. */
  readonly storeKey: number;
  readonly clock: Pick<Clock, "now">;
}

/** Opens the locks of the store as leases; none is taken yet. */
export function openLeaseLocks({ leases, workers, storeKey, clock }: LeaseLockPlace): StoreLocks {
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
    runsUnderWay: async () => toRuns(await readHolders()),
    storeHolder: () => leases.readHolder("store"),
    holderOf: async (runId) => (await readHolders()).find(({ run }) => run === runId),
    takeOvers: () => leases.readTakeOvers(),
  };
}

const toRuns = (holders: readonly LockHolder[]): ReadonlySet<string> =>
  new Set(holders.flatMap(({ run }) => run ?? []));
