import type { TokenCache } from "@catalog/client";
import type { Clock } from "@catalog/clock";

import type { Leases } from "../locks/leases.ts";
import type { LockHolder } from "../locks/lock-holder.ts";
import { createLeasedTokenLock, createTokenLock } from "../locks/token-lock.ts";
import type { Database } from "../sql/database.ts";

export interface TokenCacheOptions {
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
