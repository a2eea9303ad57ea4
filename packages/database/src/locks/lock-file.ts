/**
 * A lock between processes: an open exclusive transaction on a file of its own, so the operating
 * system takes it back when the process dies, however it dies.
 */

import { DatabaseSync } from "node:sqlite";

import { isBusy, toStoreError } from "../errors.ts";

/** Which file is locked, and how long another's lock is waited for. */
export interface LockFileOptions {
  /** In a folder that is there. */
  readonly path: string;
  /**
   * Of two that ask in the same moment, each sees the other's lock; a second look within this time
   * lets one in. Nothing else happens in the process meanwhile.
   */
  readonly busyTimeoutMs: number;
}

/**
 * The lock until it is disposed of, or why it is not given: somebody else holds it. Throws
 * `StoreError` `E_DATABASE` when the file cannot be used.
 */
export function takeLockFile(options: LockFileOptions): Disposable | { readonly busy: unknown } {
  const { path, busyTimeoutMs } = options;
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: busyTimeoutMs });
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock?.close();
    if (isBusy(error)) return { busy: error };
    throw toStoreError(error, path);
  }
  const held = lock;
  return {
    [Symbol.dispose]: () => {
      if (held.isOpen) held.close();
    },
  };
}
