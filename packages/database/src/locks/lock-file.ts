/**
 * A lock between processes: an open exclusive transaction on a file of its own, which the operating
 * system releases however the process dies.
 */

import { DatabaseSync } from "node:sqlite";

import { isBusy, toDatabaseError } from "../errors.ts";

/** Path of the lock file, and how long to wait for another process's lock. */
export interface LockFileOptions {
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
    // Nothing is ever written, and a journal on a full disk would refuse to tell who holds the lock.
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
