/**
 * One process at a time works on a store. The lock is a courtesy: what keeps a product from being
 * added twice is the ledger's unique index.
 */

import { readFileSync, writeFileSync } from "node:fs";

import { type Localized, formatDateTime } from "@catalog/i18n";

import { StoreError, toStoreError } from "../errors.ts";
import { takeLockFile } from "./lock-file.ts";

/** Who works on a store, for whoever comes second. */
export interface LockHolder {
  /** Such as `catalog import`. */
  readonly command: string;
  readonly pid: number;
  readonly sinceMs: number;
  /** Known once the run is. */
  readonly run?: string | undefined;
}

/** Which lock is taken, and by whom. */
export interface StoreLockOptions {
  /** The lock's file, in a folder that is there; a note about its holder is written beside it. */
  readonly path: string;
  readonly holder: LockHolder;
}

/** The lock until it is disposed of, or until the process dies. */
export interface StoreLock extends Disposable {
  /** Says on which run the holder works. */
  nameRun(runId: string): void;
}

const BUSY_TIMEOUT_MS = 100;

/**
 * Takes the lock until the result is disposed of. Throws `StoreError`: `E_STORE_BUSY` when another
 * holds it, `E_DATABASE` when its file cannot be used.
 */
export function lockStore({ path, holder }: StoreLockOptions): StoreLock {
  const notePath = `${path}.txt`;
  const write = (note: LockHolder): void =>
    writeFileSync(notePath, JSON.stringify(note), { mode: 0o600 });
  const lock = takeLockFile({ path, busyTimeoutMs: BUSY_TIMEOUT_MS });
  if ("busy" in lock)
    throw new StoreError("E_STORE_BUSY", describeHolder(notePath), { cause: lock.busy });
  const free = (): void => lock[Symbol.dispose]();
  try {
    write(holder);
  } catch (error) {
    free();
    throw toStoreError(error, path);
  }
  return {
    [Symbol.dispose]: free,
    nameRun(run) {
      try {
        write({ ...holder, run });
      } catch (error) {
        throw toStoreError(error, path);
      }
    },
  };
}

const DATE = { dateStyle: "short", timeStyle: "medium" } as const;

/** Who it is, in words; a question mark while the holder has not written its note yet. */
function describeHolder(notePath: string): Localized {
  const holder = readNote(notePath);
  if (holder === undefined) return { tr: "?", en: "?" };
  const { command, pid, sinceMs, run } = holder;
  const what = [command, run].filter((part) => part !== undefined).join(" ");
  return {
    tr: `${what}, işlem no ${pid}, başlangıç ${formatDateTime(sinceMs, "tr", DATE)}`,
    en: `${what}, process ${pid}, since ${formatDateTime(sinceMs, "en", DATE)}`,
  };
}

function readNote(path: string): LockHolder | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isHolder(note) ? note : undefined;
  } catch {
    return undefined;
  }
}

function isHolder(note: unknown): note is LockHolder {
  if (typeof note !== "object" || note === null) return false;
  if (!("command" in note && "pid" in note && "sinceMs" in note)) return false;
  return typeof note.command === "string" && Number.isFinite(note.sinceMs);
}
