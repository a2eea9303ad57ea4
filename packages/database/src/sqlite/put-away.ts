/** Moves the file of a database away, so that nothing is sent from it any more. */

import { existsSync, renameSync } from "node:fs";

import { DatabaseError } from "../errors.ts";
import { readProcesses } from "../locks/process-note.ts";
import { openFile } from "./open-file.ts";

/** Moves a closed file with its log beside itself; returns its new path. */
export function moveAway(path: string, word: string): string {
  const away = `${path}.${word}.db`;
  renameSync(path, away);
  for (const suffix of ["-wal", "-shm"]) {
    if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${away}${suffix}`);
  }
  return away;
}

/** Says whether another process has the file open. */
export function isInUse(path: string): boolean {
  return readProcesses(path).some(({ pid }) => pid !== process.pid);
}

/**
 * Moves a file that a version before 1.0 has made away and returns its new path; `undefined` where
 * the file is of this version. The counter beside it stays, so that the next, empty file counts as
 * an older copy: what may have been sent is looked up before anything is added.
 */
export function discardFile(path: string): string | undefined {
  try {
    openFile(path).close();
    return undefined;
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === "E_DATABASE_OLDER")) throw error;
    if (existsSync(`${path}.discarded.db`)) throw error;
    return moveAway(path, "discarded");
  }
}
