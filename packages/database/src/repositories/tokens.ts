import type { TokenCache } from "@catalog/client";
import type { Clock } from "@catalog/clock";

import { createTokenLock } from "../locks/token-lock.ts";
import type { Database } from "../sqlite/sqlite.ts";

/**
 * Access tokens, shared by every process that opens the same database. When several find no token,
 * one asks for it and the others wait for the result.
 */
export function createTokenCache(database: Database, clock: Clock): TokenCache {
  const { build, path } = database;
  return {
    exclusively: createTokenLock({ databasePath: path, clock }),
    async read(key) {
      const found = database.get(
        build.selectFrom("token").select(["token", "expires_at_ms"]).where("key", "=", key),
      );
      return found === undefined
        ? undefined
        : { token: found.token, expiresAtMs: found.expires_at_ms };
    },
    async write(key, { token, expiresAtMs }) {
      const columns = { key, token, expires_at_ms: Math.trunc(expiresAtMs) };
      database.run(
        build
          .insertInto("token")
          .values(columns)
          .onConflict((conflict) => conflict.column("key").doUpdateSet(columns)),
      );
    },
    async forget(key) {
      database.run(build.deleteFrom("token").where("key", "=", key));
    },
  };
}
