/** Files that only their owner can read or change. */

import { chmod, lstat, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { makeFolder } from "@catalog/i18n";

const OTHERS = 0o077;

/**
 * Whether only the owner can access the file; always `true` where the system has no owners
 * (`undefined`).
 */
export async function isPrivate(path: string, ownerId: number | undefined): Promise<boolean> {
  if (ownerId === undefined) return true;
  const { mode, uid } = await lstat(path);
  return (mode & OTHERS) === 0 && uid === ownerId;
}

interface PrivateFileOptions {
  /** Whether a folder that exists keeps its permissions. @default it is made private */
  readonly isFolderKept?: boolean | undefined;
}

/**
 * Writes a text into a private folder. The file is complete at every moment, and never readable for
 * others, not even while it is written.
 */
export async function replacePrivateFile(
  path: string,
  text: string,
  { isFolderKept = false }: PrivateFileOptions = {},
): Promise<void> {
  const folder = dirname(path);
  makeFolder(folder);
  if (!isFolderKept) await chmod(folder, 0o700);
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/** How long a process waits for another one that changes the same file, in milliseconds. */
const MAX_LOCK_WAIT_MS = 10_000;
const LOCK_PAUSE_MS = 20;

/**
 * Reads and rewrites a private file while no other process does, so that of two changes at the same
 * moment neither is lost. Throws `DatabaseError` `E_STORE_BUSY` where another process, which may be
 * waiting for a keyring to be unlocked, takes too long.
 */
export async function changePrivateFile<Result>(
  path: string,
  change: () => Promise<Result>,
): Promise<Result> {
  // Loaded here, because every command reads the login and few change it.
  const { DatabaseError, lockFile } = await import("@catalog/connection");
  makeFolder(dirname(path));
  const startedMs = performance.now();
  const holder = { command: "catalog login", pid: process.pid, sinceMs: Date.now() };
  const take = async (): Promise<Disposable> => {
    for (;;) {
      try {
        return lockFile({ path: `${path}.lock`, holder });
      } catch (error) {
        const isBusy = error instanceof DatabaseError && error.code === "E_STORE_BUSY";
        if (!isBusy || performance.now() - startedMs > MAX_LOCK_WAIT_MS) throw error;
        await wait(LOCK_PAUSE_MS);
      }
    }
  };
  using _lock = await take();
  return await change();
}
