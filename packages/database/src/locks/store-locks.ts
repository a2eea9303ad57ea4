/** Locks against other processes. A file lock is an open exclusive transaction on a file of its own, which
 * the operating system releases however the process dies; where several machines share a database, locks
 * are leases. The lock of a store avoids waste; what keeps a product from being added twice is the
 * unique index of the ledger. */

import { createHash, randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { Clock } from "@catalog/clock";

import { DatabaseError, isBusy, toDatabaseError } from "../errors.ts";
import type { JobLocks } from "../repositories/jobs.ts";
import type { StoreAddress } from "../sql/database.ts";
import type { Lease, Leases, LeaseTakeOvers } from "./leases.ts";
import { describeHolder, type LockHolder, readHolder } from "./processes.ts";

/** Path of the lock file, and how long to wait for another process's lock. */
interface LockFileOptions {
  /** A path in an existing folder. */
  readonly path: string;
  /**
   * Two processes that try at the same moment may both see the other's lock; waiting this long, in
   * milliseconds, lets one of them in. The wait blocks the process.
   */
  readonly busyTimeoutMs: number;
}

/**
 * Returns the lock, which is held until it is disposed of, or `busy` when another process holds it.
 * Throws `DatabaseError` `E_DATABASE` when the file cannot be used.
 */
export function takeLockFile(options: LockFileOptions): Disposable | { readonly busy: unknown } {
  const { path, busyTimeoutMs } = options;
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: busyTimeoutMs });
    // Nothing is ever written, and a journal on a full disk would refuse to say who holds the lock.
    lock.exec("PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    lock?.close();
    if (isBusy(error)) return { busy: error };
    throw toDatabaseError(error, path);
  }
  const held = lock;
  return {
    [Symbol.dispose]: () => {
      if (held.isOpen) held.close();
    },
  };
}

/** The lock file, and the process that takes the lock. */
interface FileLockOptions {
  /** A path in an existing folder; a note about the holder is written beside it. */
  readonly path: string;
  readonly holder: LockHolder;
}

/** A lock that is held until it is disposed of or the process dies. */
export interface FileLock extends Disposable {
  /** Writes the id of the holder's run into the note. */
  nameRun(runId: string): void;
}

const BUSY_TIMEOUT_MS = 100;

/**
 * Reads who holds the lock; `undefined` where nobody does. It takes a free lock for a moment, which
 * is shorter than another process waits for it.
 */
export function readLockHolder(path: string): LockHolder | undefined {
  if (!existsSync(path)) return undefined;
  const lock = takeLockFile({ path, busyTimeoutMs: 0 });
  if ("busy" in lock) return readHolder(`${path}.txt`);
  lock[Symbol.dispose]();
  return undefined;
}

/**
 * Takes the lock. Throws `DatabaseError`: `E_STORE_BUSY` when another process holds it, `E_DATABASE`
 * when its file cannot be used.
 */
export function lockFile({ path, holder }: FileLockOptions): FileLock {
  const notePath = `${path}.txt`;
  const write = (note: LockHolder): void =>
    writeFileSync(notePath, JSON.stringify(note), { mode: 0o600 });
  const lock = takeLockFile({ path, busyTimeoutMs: BUSY_TIMEOUT_MS });
  if ("busy" in lock)
    throw new DatabaseError("E_STORE_BUSY", describeHolder(readHolder(notePath)), {
      cause: lock.busy,
    });
  const free = (): void => lock[Symbol.dispose]();
  try {
    write(holder);
  } catch (error) {
    free();
    throw toDatabaseError(error, path);
  }
  return {
    [Symbol.dispose]: free,
    nameRun(run) {
      try {
        write({ ...holder, run });
      } catch (error) {
        throw toDatabaseError(error, path);
      }
    },
  };
}

/** Takes a lock; `undefined` while another process holds it. */
export async function tryLock(
  take: () => Promise<AsyncDisposable>,
): Promise<AsyncDisposable | undefined> {
  try {
    return await take();
  } catch (error) {
    if (error instanceof DatabaseError && error.code === "E_STORE_BUSY") return undefined;
    throw error;
  }
}

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
  /** Excludes other processes from the export `key`; other work on the store may continue. */
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
