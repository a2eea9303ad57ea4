/** A small file that records the last event of a database which was seen written. */

import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** The last event, and the line of copies that it belongs to. */
export interface Mark {
  readonly line: string;
  readonly seq: number;
}

const OWNER_ONLY = 0o600;

/** `undefined` where there is none, or none that can be read: nothing is known then. */
export function readMark(path: string): Mark | undefined {
  try {
    const mark: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isMark(mark) ? mark : undefined;
  } catch {
    // The marker is missing or cannot be read, so nothing is known.
    return undefined;
  }
}

const isMark = (mark: unknown): mark is Mark =>
  typeof mark === "object" &&
  mark !== null &&
  "line" in mark &&
  typeof mark.line === "string" &&
  "seq" in mark &&
  typeof mark.seq === "number";

/** Writes the whole file or nothing, so that a process that dies leaves no partial one. */
export function writeMark(path: string, { line, seq }: Mark): void {
  const next = `${path}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify({ line, seq })}\n`, { mode: OWNER_ONLY });
  renameSync(next, path);
}
