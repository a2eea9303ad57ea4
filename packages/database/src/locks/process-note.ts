/**
 * A note beside the database about each process that has it open, so that a process that has to
 * wait can say for whom. The notes lock nothing. The note of a process that was killed stays until
 * another process opens the database.
 */

import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import {
  type FoundHolder,
  hasEnded,
  type LockHolder,
  readHolder,
  readStarted,
} from "./lock-holder.ts";

/**
 * Writes the note of a process, and removes it when it is disposed of. Removes those of processes
 * that were killed.
 */
export function noteProcess(databasePath: string, holder: LockHolder): Disposable {
  const started = readStarted(holder.pid);
  const path = `${databasePath}.${holder.pid}${SUFFIX}`;
  ignoreErrors(() => readProcesses(databasePath));
  ignoreErrors(() => writeWhole(path, JSON.stringify({ ...holder, started })));
  return { [Symbol.dispose]: () => ignoreErrors(() => rmSync(path, { force: true })) };
}

const SUFFIX = ".process";

/** The note serves messages only, and the folder may be full or read-only. */
function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // The message will not name this process.
  }
}

function writeWhole(path: string, text: string): void {
  const next = `${path}.new`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, path);
}

/** Reads the notes of processes that are running, and removes the others. */
export function readProcesses(databasePath: string): readonly LockHolder[] {
  const notes = listFiles(databasePath).filter(
    (path) => path.startsWith(`${databasePath}.`) && path.endsWith(SUFFIX),
  );
  return notes.flatMap((path) => {
    const holder = readHolder(path);
    if (holder !== undefined && isRunning(holder)) return [holder];
    rmSync(path, { force: true });
    return [];
  });
}

/**
 * Finds the process that writes to the database now, and the run that it works for. Where the
 * system does not tell which one writes, it is the only other process that has the file open.
 */
export function findWriter(databasePath: string): FoundHolder | undefined {
  try {
    const processes = readProcesses(databasePath);
    const pid = readWriterPid(databasePath);
    const others = processes.filter((each) => each.pid !== process.pid);
    const found = pid === undefined ? onlyOne(others) : processes.find((each) => each.pid === pid);
    if (found !== undefined) return findLockNote(databasePath, found) ?? found;
    return pid === undefined ? undefined : { pid };
  } catch {
    // The folder cannot be read.
    return undefined;
  }
}

const onlyOne = <Item>(items: readonly Item[]): Item | undefined =>
  items.length === 1 ? items[0] : undefined;

/** The note of the lock that the process took last names its run, too. */
function findLockNote(databasePath: string, { pid, sinceMs }: LockHolder): LockHolder | undefined {
  return listFiles(databasePath)
    .filter((path) => path.endsWith(".lock.txt"))
    .flatMap((path) => readHolder(path) ?? [])
    .filter((holder) => holder.pid === pid && holder.sinceMs >= sinceMs)
    .toSorted((a, b) => b.sinceMs - a.sinceMs)[0];
}

const listFiles = (databasePath: string): readonly string[] =>
  readdirSync(dirname(databasePath)).map((name) => join(dirname(databasePath), name));

/**
 * Says whether the process of a note runs. A process with the same number that was started at
 * another time is another one.
 */
export function isRunning({ pid, ...note }: LockHolder & { readonly started?: unknown }): boolean {
  if (hasEnded(pid)) return false;
  const started = readStarted(pid);
  if (started !== undefined && note.started !== undefined) return note.started === started;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** SQLite's lock of the writer, in the file of its shared memory (sqlite.org/walformat.html). */
const WRITE_LOCK_BYTE = 120;

/** Linux lists the locks of all processes with the file's number and the bytes. */
function readWriterPid(databasePath: string): number | undefined {
  const shared = statSync(`${databasePath}-shm`, { throwIfNoEntry: false });
  if (shared === undefined) return undefined;
  const line = readLocks().find((text) => {
    const [, , , kind, , file = "", from, to] = text.trim().split(/\s+/u);
    const holds = Number(from) <= WRITE_LOCK_BYTE && WRITE_LOCK_BYTE <= Number(to);
    return kind === "WRITE" && file.endsWith(`:${shared.ino}`) && holds;
  });
  const pid = Number(line?.trim().split(/\s+/u)[4]);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
}

function readLocks(): readonly string[] {
  try {
    return readFileSync("/proc/locks", "utf8").split("\n");
  } catch {
    // The system is not Linux.
    return [];
  }
}
