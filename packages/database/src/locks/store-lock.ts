/**
 * Lets one process at a time work on a store. The lock avoids waste; what keeps a product from
 * being added twice is the unique index of the ledger.
 */

import { readFileSync, writeFileSync } from "node:fs";

import { type Localized, formatDateTime } from "@catalog/i18n";

import { DatabaseError, toDatabaseError } from "../errors.ts";
import { takeLockFile } from "./lock-file.ts";

/** The holder of a store's lock, for the message to another process. */
export interface LockHolder {
  /** The command, such as `catalog import`. */
  readonly command: string;
  readonly pid: number;
  readonly sinceMs: number;
  /** Id of the run, set once it is known. */
  readonly run?: string | undefined;
}

/** The lock file, and the process that takes the lock. */
export interface StoreLockOptions {
  /** A path in an existing folder; a note about the holder is written beside it. */
  readonly path: string;
  readonly holder: LockHolder;
}

/** A lock that is held until it is disposed of or the process dies. */
export interface StoreLock extends Disposable {
  /** Writes the id of the holder's run into the note. */
  nameRun(runId: string): void;
}

const BUSY_TIMEOUT_MS = 100;

/**
 * Takes the lock. Throws `DatabaseError`: `E_STORE_BUSY` when another process holds it, `E_DATABASE`
 * when its file cannot be used.
 */
export function lockStore({ path, holder }: StoreLockOptions): StoreLock {
  const notePath = `${path}.txt`;
  const write = (note: LockHolder): void =>
    writeFileSync(notePath, JSON.stringify(note), { mode: 0o600 });
  const lock = takeLockFile({ path, busyTimeoutMs: BUSY_TIMEOUT_MS });
  if ("busy" in lock)
    throw new DatabaseError("E_STORE_BUSY", describeHolder(notePath), { cause: lock.busy });
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

const DATE = { dateStyle: "short", timeStyle: "medium" } as const;

/** Describes the holder; a question mark where the holder has not written its note yet. */
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
