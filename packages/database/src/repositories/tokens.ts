/**
 * Access tokens, shared by every process that opens the same database. Of several that find no token one
 * asks for it, under a lock that is free once its holder has died.
 */

import { createHash } from "node:crypto";

import type { TokenCache } from "@catalog/client";
import type { Clock } from "@catalog/clock";

import type { Leases } from "../locks/leases.ts";
import type { LockHolder } from "../locks/processes.ts";
import { takeLockFile, tryLock } from "../locks/store-locks.ts";
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
  /** Leases that all stores share, where the database is no file. */
  readonly leased?:
    | { readonly leases: Pick<Leases, "take">; readonly holder: LockHolder }
    | undefined;
}

export function createTokenLock({ databasePath, clock, leased }: TokenLockOptions): TokenLock {
  const tryTake = async (name: string): Promise<Disposable | AsyncDisposable | undefined> => {
    if (leased !== undefined) return await tryLock(() => leased.leases.take(name, leased.holder));
    const path = `${databasePath}.token-${name}.lock`;
    const lock = takeLockFile({ path, busyTimeoutMs: BUSY_TIMEOUT_MS });
    return "busy" in lock ? undefined : lock;
  };
  return async (key, work, signal) => {
    if (databasePath === ":memory:") return await work();
    // A key may be any text, which a file name may not.
    const name = createHash("sha256").update(key).digest("hex").slice(0, 16);
    signal?.throwIfAborted();
    let taken = await tryTake(name);
    let waitMs = FIRST_WAIT_MS;
    for (let waitedMs = 0; taken === undefined && waitedMs < MAX_WAIT_MS; waitedMs += waitMs) {
      await clock.sleep(waitMs, signal);
      waitMs = Math.min(MAX_POLL_MS, waitMs * 1.5);
      taken = await tryTake(name);
    }
    await using _lock = taken;
    return await work();
  };
}

/**
 * Access tokens, shared by every process that opens the same database. When several find no token,
 * one asks for it and the others wait for the result.
 */
export function createTokenCache({
  database,
  ...options
}: Omit<TokenLockOptions, "databasePath"> & { readonly database: Database }): TokenCache {
  const { build, path } = database;
  return {
    exclusively: createTokenLock({ ...options, databasePath: path }),
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
      await database.execute(database.upsert("token", ["key"], columns));
    },
    async forget(key) {
      await database.execute(database.run(build.deleteFrom("token").where("key", "=", key)));
    },
  };
}
