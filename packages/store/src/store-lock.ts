/**
 * One process at a time works on a store. The lock is an open exclusive transaction on a file of
 * its own, so the operating system takes it back when the process dies, however it dies. It is a
 * courtesy: what keeps a product from being added twice is the ledger's unique index.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { StoreError } from "./errors.ts";

export interface StoreLockOptions {
  /** The lock's file; a note about its holder is written beside it. */
  readonly path: string;
  /** Who takes it, shown to whoever comes second. */
  readonly holder: string;
}

/** Takes the lock until the result is disposed of. Throws {@link StoreError} `E_STORE_BUSY`. */
export function lockStore({ path, holder }: StoreLockOptions): Disposable {
  const notePath = `${path}.txt`;
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    throw new StoreError("E_STORE_BUSY", readNote(notePath), { cause: error });
  }
  writeFileSync(notePath, holder, { mode: 0o600 });
  return { [Symbol.dispose]: () => lock.close() };
}

function readNote(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The holder has not written its note yet.
    return "?";
  }
}
