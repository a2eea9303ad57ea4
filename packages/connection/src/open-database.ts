/** Opens the database of a store: the file of the home, or PostgreSQL for several machines. */

import { join } from "node:path";

import type { TokenCache } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import {
  createFileQueue,
  createLeases,
  createTokenCache,
  type Database,
  type DatabaseWait,
  type JobQueue,
  type Leases,
  type LockHolder,
  openDatabase,
  type Outage,
  toStoreAddress,
  toStoreScope,
} from "@catalog/database";

import type { StoreLocks } from "./connection-groups.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { openLeaseLocks } from "./open-lease-locks.ts";
import { openJobLocks, openLocks } from "./open-locks.ts";

/** An open database, and what its kind decides. */
export interface OpenedDatabase {
  readonly database: Database;
  readonly locks: StoreLocks;
  readonly tokens: TokenCache;
  /** Time that all machines share which use the database. */
  readonly sharedClock: Clock;
  /** Leases of the store; `undefined` where the database is a file. */
  readonly leases: Leases | undefined;
  /** What was left to the workers. */
  readonly jobs: JobQueue;
  /** Closes the queue and the database. */
  close(): Promise<void>;
  /** The outage of the database that is under way; `undefined` for none. */
  readonly outage: () => Outage | undefined;
}

type DatabasePlace = Pick<
  ConnectionOptions,
  | "home"
  | "markFolder"
  | "command"
  | "clock"
  | "databaseUrl"
  | "databaseWait"
  | "baseUrl"
  | "storeId"
>;

/** Throws `DatabaseError` where the database cannot be opened. */
export async function openStoreDatabase(options: DatabasePlace): Promise<OpenedDatabase> {
  let outage: Outage | undefined;
  const { maxMs = WAIT_MS, stop, onOutage } = options.databaseWait ?? {};
  const wait: DatabaseWait = {
    maxMs,
    stop,
    onOutage(now) {
      outage = now;
      onOutage?.(now);
    },
  };
  const opened =
    options.databaseUrl === undefined
      ? await openHomeFile(options, wait)
      : await openServer(options, { url: options.databaseUrl, wait });
  return { ...opened, outage: () => outage };
}

/** How long work waits for the database, in milliseconds, where nobody asks for more. */
const WAIT_MS = 30_000;

type OpenedParts = Omit<OpenedDatabase, "outage">;

async function openHomeFile(options: DatabasePlace, wait: DatabaseWait): Promise<OpenedParts> {
  const { home, markFolder, command, clock } = options;
  const note = { markFolder, command, sinceMs: clock.now() };
  const database = await openDatabase(join(home, "catalog.db"), {
    ...note,
    wait: { ...wait, clock },
  });
  const store = toStoreAddress(options);
  const locks = openLocks({ ...options, ...store });
  const jobLocks = {
    ...openJobLocks({ ...options, ...store }),
    storeHolder: () => locks.storeHolder(),
  };
  return {
    database,
    locks,
    jobs: createFileQueue({ database, clock, store, locks: jobLocks }),
    close: async () => database.close(),
    tokens: createTokenCache({ database, clock }),
    sharedClock: clock,
    leases: undefined,
  };
}

const monotonicMs = (): number => performance.now();

async function openServer(
  options: DatabasePlace,
  { url, wait }: { readonly url: string; readonly wait: DatabaseWait },
): Promise<OpenedParts> {
  const { clock, home, command = "catalog" } = options;
  const store = toStoreAddress(options);
  const { openBossQueue, openPostgres, openServerClock } =
    await import("@catalog/database/postgres");
  const database = await openPostgres({ url, clock, store, command, home, wait });
  const storeKey = database.storeKey(store);
  const scope = toStoreScope(storeKey);
  const leases = createLeases({ database, clock, monotonicMs, scope });
  const workers = createLeases({ database, clock, monotonicMs, scope: "workers" });
  const shared = createLeases({ database, clock, monotonicMs, scope: "token" });
  const holder: LockHolder = { command, pid: process.pid, sinceMs: clock.now() };
  const tokens = createTokenCache({ database, clock, leased: { leases: shared, holder } });
  const sharedClock = await openServerClock({ database, clock, monotonicMs });
  const server = { url, clock, command, wait };
  const jobs = openBossQueue({ ...server, database, store: storeKey, sharedClock });
  return {
    database,
    locks: openLeaseLocks({ leases, workers, storeKey, clock }),
    jobs,
    tokens,
    sharedClock,
    leases,
    async close() {
      await jobs.close();
      await database.close();
    },
  };
}
