/**
 * Access tokens, shared by every process that opens the same database. Of several that find no token one
 * asks for it, under a lock that is free once its holder has died.
 */

import { createHash } from "node:crypto";

import type { TokenCache } from "@catalog/client";
import type { Clock } from "@catalog/clock";

import { DatabaseError } from "../errors.ts";
import type { Lease, Leases } from "../locks/leases.ts";
import { takeLockFile } from "../locks/lock-files.ts";
import type { LockHolder } from "../locks/processes.ts";
import type { Database } from "../sql/database.ts";

/** Runs the work while holding the lock of the key. */
export type TokenLock = <Result>(
  key: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

/** First wait between two tries; each further wait is half as long again, up to the maximum. */
const FIRST_WAIT_MS = 50;
const MAX_POLL_MS = 1_000;

const BUSY_TIMEOUT_MS = 5;

/**
 * Longer than all attempts of a token request together. A holder that takes more has stopped, or
 * waits for the hourly rate limit; the work is then done without the lock.
 */
const MAX_WAIT_MS = 5 * 60_000;

interface TokenLockOptions {
  /** A database in memory belongs to one process and needs no lock. */
  readonly databasePath: string;
  readonly clock: Clock;
}

export function createTokenLock({ databasePath, clock }: TokenLockOptions): TokenLock {
  const take = async (
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<Disposable | undefined> => {
    let waitMs = FIRST_WAIT_MS;
    let waitedMs = 0;
    while (waitedMs < MAX_WAIT_MS) {
      signal?.throwIfAborted();
      const lock = takeLockFile({ path, busyTimeoutMs: BUSY_TIMEOUT_MS });
      if (!("busy" in lock)) return lock;
      await clock.sleep(waitMs, signal);
      waitedMs += waitMs;
      waitMs = Math.min(MAX_POLL_MS, waitMs * 1.5);
    }
    return undefined;
  };

  return async (key, work, signal) => {
    if (databasePath === ":memory:") return await work();
    // A key may be any text, which a file name may not.
    const name = createHash("sha256").update(key).digest("hex").slice(0, 16);
    using _lock = await take(`${databasePath}.token-${name}.lock`, signal);
    return await work();
  };
}

/** Does the same with leases, where several machines ask for tokens. */
function createLeasedTokenLock(
  leases: Pick<Leases, "take">,
  { clock, holder }: { readonly clock: Clock; readonly holder: LockHolder },
): TokenLock {
  const take = async (name: string): Promise<Lease | undefined> => {
    try {
      return await leases.take(name, holder);
    } catch (error) {
      if (error instanceof DatabaseError && error.code === "E_STORE_BUSY") return undefined;
      throw error;
    }
  };
  return async (key, work, signal) => {
    const name = createHash("sha256").update(key).digest("hex").slice(0, 16);
    let waitMs = FIRST_WAIT_MS;
    let lease = await take(name);
    for (let waitedMs = 0; lease === undefined && waitedMs < MAX_WAIT_MS; waitedMs += waitMs) {
      await clock.sleep(waitMs, signal);
      waitMs = Math.min(MAX_POLL_MS, waitMs * 1.5);
      lease = await take(name);
    }
    try {
      return await work();
    } finally {
      await lease?.[Symbol.asyncDispose]();
    }
  };
}

interface TokenCacheOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Leases that all stores share, where the database is no file. */
  readonly leased?: { readonly leases: Leases; readonly holder: LockHolder } | undefined;
}

/**
 * Access tokens, shared by every process that opens the same database. When several find no token,
 * one asks for it and the others wait for the result.
 */
export function createTokenCache({ database, clock, leased }: TokenCacheOptions): TokenCache {
  const { build, path } = database;
  return {
    exclusively:
      leased === undefined
        ? createTokenLock({ databasePath: path, clock })
        : createLeasedTokenLock(leased.leases, { clock, holder: leased.holder }),
    async read(key) {
      const query = build
        .selectFrom("token")
        .select(["token", "expires_at_ms"])
        .where("key", "=", key);
      const found = await database.execute(database.get(query));
      return found === undefined
        ? undefined
        : { token: found.token, expiresAtMs: found.expires_at_ms };
    },
    async write(key, { token, expiresAtMs }) {
      const columns = { key, token, expires_at_ms: Math.trunc(expiresAtMs) };
      const query = build
        .insertInto("token")
        .values(columns)
        .onConflict((conflict) => conflict.column("key").doUpdateSet(columns));
      await database.execute(database.run(query));
    },
    async forget(key) {
      await database.execute(database.run(build.deleteFrom("token").where("key", "=", key)));
    },
  };
}
