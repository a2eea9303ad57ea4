/** Opens the database of a store: the file of the home, or PostgreSQL for several machines. */

import { join } from "node:path";

import type { TokenCache } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import {
  createLeases,
  createTokenCache,
  type Database,
  type DatabaseWait,
  type Leases,
  type LockHolder,
  openDatabase,
  type Outage,
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
  const { maxMs = WAIT_MS, onOutage } = options.databaseWait ?? {};
  const wait: DatabaseWait = {
    maxMs,
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

async function openServer(
  options: DatabasePlace,
  { url, wait }: { readonly url: string; readonly wait: DatabaseWait },
): Promise<OpenedParts> {
  const { clock, home, command = "catalog" } = options;
  const store = toStoreAddress(options);
  const { openPostgres, openServerClock } = await import("@catalog/database/postgres");
  const database = await openPostgres({ url, clock, store, command, home, wait });
  const scope = `store ${database.storeKey(store)}`;
  const leases = createLeases({ database, clock, monotonicMs, scope });
  const shared = createLeases({ database, clock, monotonicMs, scope: "token" });
  const holder: LockHolder = { command, pid: process.pid, sinceMs: clock.now() };
  const tokens = createTokenCache({ database, clock, leased: { leases: shared, holder } });
  const sharedClock = await openServerClock({ database, clock, monotonicMs });
  return { database, locks: openLeaseLocks(leases, clock), tokens, sharedClock, leases };
}
