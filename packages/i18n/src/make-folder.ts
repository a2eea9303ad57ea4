/** Makes folders; failures are those that `describeFileError` puts into words. */

import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

const OWNER_ONLY = 0o700;

/**
 * Makes a folder and those above it, for the owner only; nothing happens where it exists. The
 * recursive mkdir of Node does not end where a folder above exists and refuses with ENOENT, as in
 * `/proc`, so the steps are made here. Throws the file system's error.
 */
export function makeFolder(path: string): void {
  try {
    makeOne(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    makeOne(path);
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: OWNER_ONLY });
  } catch (error) {
    // The root of a file system that is mounted read-only refuses before it says that it exists.
    if (codeOf(error) === "ENOENT" || !isFolder(path)) throw error;
  }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;
