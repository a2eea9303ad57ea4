/**
 * A lock between processes: an open exclusive transaction on a file of its own, which the operating
 * system releases however the process dies. The lock of a store avoids waste; what keeps a product from
 * being added twice is the unique index of the ledger.
 */

import { existsSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { DatabaseError, isBusy, toDatabaseError } from "../errors.ts";
import { describeHolder, type LockHolder, readHolder } from "./processes.ts";

/** Path of the lock file, and how long to wait for another process's lock. */
interface LockFileOptions {
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

/** The lock file, and the process that takes the lock. */
interface FileLockOptions {
  /** A path in an existing folder; a note about the holder is written beside it. */
  readonly path: string;
  readonly holder: LockHolder;
}

/** A lock that is held until it is disposed of or the process dies. */
export interface FileLock extends Disposable {
  /** Writes the id of the holder's run into the note. */
  nameRun(runId: string): void;
}

const BUSY_TIMEOUT_MS = 100;

/**
 * Reads who holds the lock; `undefined` where nobody does. It takes a free lock for a moment, which
 * is shorter than another process waits for it.
 */
export function readLockHolder(path: string): LockHolder | undefined {
  if (!existsSync(path)) return undefined;
  const lock = takeLockFile({ path, busyTimeoutMs: 0 });
  if ("busy" in lock) return readHolder(`${path}.txt`);
  lock[Symbol.dispose]();
  return undefined;
}

/**
 * Takes the lock. Throws `DatabaseError`: `E_STORE_BUSY` when another process holds it, `E_DATABASE`
 * when its file cannot be used.
 */
export function lockFile({ path, holder }: FileLockOptions): FileLock {
  const notePath = `${path}.txt`;
  const write = (note: LockHolder): void =>
    writeFileSync(notePath, JSON.stringify(note), { mode: 0o600 });
  const lock = takeLockFile({ path, busyTimeoutMs: BUSY_TIMEOUT_MS });
  if ("busy" in lock)
    throw new DatabaseError("E_STORE_BUSY", describeHolder(readHolder(notePath)), {
      cause: lock.busy,
    });
  const free = (): void => lock[Symbol.dispose]();
  try {
    write(holder);
  } catch (error) {
    free();
    throw toDatabaseError(error, path);
  }
  return {
    [Symbol.dispose]: free,
    nameRun(run) {
      try {
        write({ ...holder, run });
      } catch (error) {
        throw toDatabaseError(error, path);
      }
    },
  };
}

/** Takes a lock; `undefined` while another process holds it. */
export async function tryLock(
  take: () => Promise<AsyncDisposable>,
): Promise<AsyncDisposable | undefined> {
  try {
    return await take();
  } catch (error) {
    if (error instanceof DatabaseError && error.code === "E_STORE_BUSY") return undefined;
    throw error;
  }
}
