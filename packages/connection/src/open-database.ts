/** Opens the database of a store: the file of the home, or PostgreSQL for several machines. */

import { join } from "node:path";

import type { TokenCache } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import {
  createLeases,
  createTokenCache,
  type Database,
  type Leases,
  type LockHolder,
  openDatabase,
  toStoreAddress,
} from "@catalog/database";

import type { StoreLocks } from "./connection-groups.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { openLeaseLocks } from "./open-lease-locks.ts";
import { openLocks } from "./open-locks.ts";

/** An open database, and what its kind decides. */
export interface OpenedDatabase {
  readonly database: Database;
  readonly locks: StoreLocks;
  readonly tokens: TokenCache;
  /** Time that all machines share which use the database. */
  readonly sharedClock: Clock;
  /** Leases of the store; `undefined` where the database is a file. */
  readonly leases: Leases | undefined;
}

type DatabasePlace = Pick<
  ConnectionOptions,
  "home" | "markFolder" | "command" | "clock" | "databaseUrl" | "baseUrl" | "storeId"
>;

/** Throws `DatabaseError` where the database cannot be opened. */
export async function openStoreDatabase(options: DatabasePlace): Promise<OpenedDatabase> {
  return options.databaseUrl === undefined
    ? await openHomeFile(options)
    : await openServer(options, options.databaseUrl);
}

async function openHomeFile(options: DatabasePlace): Promise<OpenedDatabase> {
  const { home, markFolder, command, clock } = options;
  const note = { markFolder, command, sinceMs: clock.now() };
  const database = await openDatabase(join(home, "catalog.db"), note);
  const locks = openLocks({ ...options, ...toStoreAddress(options) });
  return {
    database,
    locks,
    tokens: createTokenCache({ database, clock }),
    sharedClock: clock,
    leases: undefined,
  };
}

const monotonicMs = (): number => performance.now();

async function openServer(options: DatabasePlace, url: string): Promise<OpenedDatabase> {
  const { clock, home, command = "catalog" } = options;
  const store = toStoreAddress(options);
  const { openPostgres, openServerClock } = await import("@catalog/database/postgres");
  const database = await openPostgres({ url, clock, store, command, home });
  const scope = `store ${database.storeKey(store)}`;
  const leases = createLeases({ database, clock, monotonicMs, scope });
  const shared = createLeases({ database, clock, monotonicMs, scope: "token" });
  const holder: LockHolder = { command, pid: process.pid, sinceMs: clock.now() };
  const tokens = createTokenCache({ database, clock, leased: { leases: shared, holder } });
  const sharedClock = await openServerClock({ database, clock, monotonicMs });
  return { database, locks: openLeaseLocks(leases, clock), tokens, sharedClock, leases };
}
