/**
 * One process at a time works on a store. The lock is a courtesy: what keeps a product from being
 * added twice is the ledger's unique index.
 */

import { readFileSync, writeFileSync } from "node:fs";

import { StoreError, toStoreError } from "./errors.ts";
import { takeLockFile } from "./lock-file.ts";

/** Which lock is taken, and by whom. */
export interface StoreLockOptions {
  /** The lock's file, in a folder that is there; a note about its holder is written beside it. */
  readonly path: string;
  /** Who takes it, shown to whoever comes second. */
  readonly holder: string;
}

const BUSY_TIMEOUT_MS = 100;

/**
 * Takes the lock until the result is disposed of. Throws `StoreError`: `E_STORE_BUSY` when another
 * holds it, `E_DATABASE` when its file cannot be used.
 */
export function lockStore({ path, holder }: StoreLockOptions): Disposable {
  const notePath = `${path}.txt`;
  const lock = takeLockFile({ path, busyTimeoutMs: BUSY_TIMEOUT_MS });
  if ("busy" in lock)
    throw new StoreError("E_STORE_BUSY", readNote(notePath), { cause: lock.busy });
  try {
    writeFileSync(notePath, holder, { mode: 0o600 });
    return lock;
  } catch (error) {
    lock[Symbol.dispose]();
    throw toStoreError(error, path);
  }
}

function readNote(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The holder has not written its note yet.
    return "?";
  }
}
