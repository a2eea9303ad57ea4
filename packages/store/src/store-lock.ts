/**
 * One process at a time works on a store. The lock is an open exclusive transaction on a file of
 * its own, so the operating system takes it back when the process dies, however it dies. It is a
 * courtesy: what keeps a product from being added twice is the ledger's unique index.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { isBusy, StoreError, toStoreError } from "./errors.ts";

/** Which lock is taken, and by whom. */
export interface StoreLockOptions {
  /** The lock's file, in a folder that is there; a note about its holder is written beside it. */
  readonly path: string;
  /** Who takes it, shown to whoever comes second. */
  readonly holder: string;
}

/** Of two that ask in the same moment, each sees the other's lock; a second look lets one in. */
const BUSY_TIMEOUT_MS = 100;

/**
 * Takes the lock until the result is disposed of. Throws `StoreError`: `E_STORE_BUSY` when another
 * holds it, `E_DATABASE` when its file cannot be used.
 */
export function lockStore({ path, holder }: StoreLockOptions): Disposable {
  const notePath = `${path}.txt`;
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    lock.exec("BEGIN EXCLUSIVE");
    writeFileSync(notePath, holder, { mode: 0o600 });
  } catch (error) {
    lock?.close();
    if (!isBusy(error)) throw toStoreError(error, path);
    throw new StoreError("E_STORE_BUSY", readNote(notePath), { cause: error });
  }
  const held = lock;
  return {
    [Symbol.dispose]: () => {
      if (held.isOpen) held.close();
    },
  };
}

function readNote(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The holder has not written its note yet.
    return "?";
  }
}
