/**
 * Connections that the stores of a process share: a worker for a thousand stores asks each of them
 * every few seconds, and a connection for each would be more than a server allows.
 */

import type { Pool } from "pg";

import { openPool, type PoolOptions } from "./pool.ts";
import { createRunOn } from "./run-on.ts";
import type { RunOn } from "./transact.ts";

/** The connections, and what runs on them: a name of a statement means one text on all of them. */
export interface SharedPool {
  readonly pool: Pool;
  readonly runOn: RunOn;
  /** Gives the connections back; the last user closes them. May be called again. */
  release(): Promise<void>;
}

interface Shared {
  readonly pool: Pool;
  readonly runOn: RunOn;
  users: number;
}

const pools = new Map<string, Shared>();

/** Returns the connections to a database, which those who name it in the same way share. */
export function sharePool(options: PoolOptions): SharedPool {
  const { url, command, maxConnections } = options;
  const key = JSON.stringify([url, command, maxConnections]);
  const shared = pools.get(key) ?? { pool: openPool(options), runOn: createRunOn(), users: 0 };
  pools.set(key, shared);
  shared.users += 1;
  let isReleased = false;
  return {
    pool: shared.pool,
    runOn: shared.runOn,
    async release() {
      if (isReleased) return;
      isReleased = true;
      shared.users -= 1;
      if (shared.users > 0) return;
      pools.delete(key);
      await shared.pool.end();
    },
  };
}
