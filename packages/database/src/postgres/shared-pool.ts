/**
 * Connections that the stores of a process share: a worker for a thousand stores asks each of them
 * every few seconds, and a connection for each would be more than a server allows.
 */

import type { Pool } from "pg";

import { openPool, type PoolOptions } from "./pool.ts";
import { createRunOn } from "./run-on.ts";
import { createMarks, type NextMark, type RunOn } from "./transact.ts";

/** The connections, and what runs on them: a name of a statement means one text on all of them. */
export interface SharedPool {
  readonly pool: Pool;
  readonly runOn: RunOn;
  readonly nextMark: NextMark;
  /** Gives the connections back; the last user closes them. May be called again. */
  release(): Promise<void>;
}

/** What users of this process share, by names. */
export type Sharing<Value> = Map<string, { readonly value: Value; users: number }>;

interface SharedResource<Value> {
  readonly open: () => Value;
  readonly close: (value: Value) => Promise<unknown>;
}

/** Returns what the users of a name share; the last of them ends it. */
export function share<Value>(
  known: Sharing<Value>,
  name: string,
  { open, close }: SharedResource<Value>,
): { readonly value: Value; readonly release: () => Promise<void> } {
  const shared = known.get(name) ?? { value: open(), users: 0 };
  known.set(name, shared);
  shared.users += 1;
  let isReleased = false;
  return {
    value: shared.value,
    async release() {
      if (isReleased) return;
      isReleased = true;
      shared.users -= 1;
      if (shared.users > 0) return;
      known.delete(name);
      await close(shared.value);
    },
  };
}

const pools: Sharing<Omit<SharedPool, "release">> = new Map();

/** Returns the connections to a database, which those who name it in the same way share. */
export function sharePool(options: PoolOptions): SharedPool {
  const { url, command, maxConnections } = options;
  const key = JSON.stringify([url, command, maxConnections]);
  const { value, release } = share(pools, key, {
    open: () => ({ pool: openPool(options), runOn: createRunOn(), nextMark: createMarks() }),
    close: ({ pool }) => pool.end(),
  });
  return { ...value, release };
}
