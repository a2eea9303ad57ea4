/**
 * A mark beside the database with the state of the file as the last process closed it. Only a file
 * that is still so is opened without a check: a process that was killed leaves SQLite's log, a copy
 * and an edit change the file, and a machine that stopped may have lost what it had written.
 */

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";

/** Whether the file was sound when it was closed, and nothing can have damaged it since. */
export function isAsClosed(path: string): boolean {
  try {
    return !isLogLeft(path) && readFileSync(markOf(path), "utf8") === describe(path);
  } catch {
    return false;
  }
}

/** Writes the mark once the last process has closed the file; without it, the file is checked. */
export function markClosed(path: string): void {
  try {
    if (isLogLeft(path)) return;
    writeFileSync(markOf(path), describe(path), { mode: 0o600 });
  } catch {
    // The folder is full, read-only or gone.
  }
}

const markOf = (path: string): string => `${path}.closed`;

/** The last process to close the file removes the log. */
const isLogLeft = (path: string): boolean => existsSync(`${path}-wal`);

function describe(path: string): string {
  const { dev, ino, size, ctimeNs } = statSync(path, { bigint: true });
  return [dev, ino, size, ctimeNs, readBoot()].join(" ");
}

/** Linux's id of the time since the machine was started; empty on other systems. */
function readBoot(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
