/**
 * Detects that an old copy of the database was put in its place. Every opening and closing increments a
 * counter in the file and one in a small file beside it, and only a copy can be behind the latter. A
 * marker outside the home detects a copy of the whole home.
 */

import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { makeFolder } from "@catalog/i18n";

/** The last event, and the line of copies that it belongs to. */
export interface Mark {
  readonly line: string;
  readonly seq: number;
}

/** Whether sessions and keys may have been brought back, as `copy.people_doubted` says it. */
export const DOUBT = {
  none: 0,
  /** The rows are at another place, such as a replica that took over and may have lost nothing. */
  perhaps: 1,
  /** They are those of an older copy. */
  certain: 2,
} as const;

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

interface CopyMarkerOptions {
  readonly sqlite: DatabaseSync;
  /** A path outside the home. @default no marker */
  readonly folder: string | undefined;
}

/**
 * A marker in a folder outside the home that records the last event of a database when it last sent
 * something. A copy of the whole home that was restored is behind it, and so is each of two copies
 * that are used in turns: the first one that notices starts a line of its own. Without the folder
 * nothing is detected, and nothing is stopped.
 */
export interface CopyMarker {
  /**
   * Says whether another copy of the database has sent something that this one does not know of.
   */
  readonly isBehind: () => boolean;
  /** Starts a new line: from here on this copy is not the one that the marker records. */
  readonly beginLine: () => void;
  /** Writes the last event into the marker. Call it when that event is synced to the disk. */
  readonly write: () => void;
}

export function createCopyMarker({ sqlite, folder }: CopyMarkerOptions): CopyMarker {
  const own = sqlite.prepare("SELECT database_id FROM copy").get()?.["database_id"];
  if (folder === undefined || typeof own !== "string") {
    return { isBehind: () => false, beginLine: () => undefined, write: () => undefined };
  }
  const path = join(folder, `${own}.json`);
  const readOwn = (): Mark => {
    const found = sqlite
      .prepare("SELECT line, (SELECT coalesce(max(seq), 0) FROM event) AS seq FROM copy")
      .get();
    return { line: String(found?.["line"]), seq: Number(found?.["seq"]) };
  };
  return {
    isBehind() {
      const mark = readMark(path);
      if (mark === undefined) return false;
      const { line, seq } = readOwn();
      return mark.line !== line || mark.seq > seq;
    },
    beginLine() {
      sqlite.exec("UPDATE copy SET line = lower(hex(randomblob(16)))");
    },
    write() {
      try {
        makeFolder(folder);
        writeMark(path, readOwn());
      } catch {
        // A full disk or a folder of another user only weakens the detection, so the failure is
        // ignored.
      }
    },
  };
}

/** Increments the counter, and says whether the file is an older copy of itself. */
export function countOpening(sqlite: DatabaseSync, path: string): "current" | "restored" {
  const notePath = `${path}.generation`;
  const noted = readNote(notePath);
  const found = Number(sqlite.prepare("SELECT n FROM generation").get()?.["n"] ?? 0);
  const isRestored = noted !== undefined && found < noted;
  const next = Math.max(found, noted ?? 0) + 1;
  sqlite.exec("BEGIN IMMEDIATE");
  sqlite.prepare("UPDATE generation SET n = max(n + 1, ?)").run(next);
  if (isRestored) markRestored(sqlite);
  sqlite.exec("COMMIT");
  if (isRestored) deleteInFlightMarkers(path);
  writeNote(notePath, next);
  return isRestored ? "restored" : "current";
}

/** Marks all runs: another copy may have sent rows that this one calls ready or plans next. */
export function markRestored(sqlite: Pick<DatabaseSync, "exec">): void {
  const next = "(SELECT coalesce(max(seq), 0) + 1 FROM event)";
  sqlite.exec(
    `UPDATE run SET must_recheck = ${next};
     UPDATE copy SET doubted_seq = ${next}, people_doubted = ${DOUBT.certain}`,
  );
}

/** The markers belong to the lost copy; here they would call requests unsent that were sent. */
export function deleteInFlightMarkers(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    const isOurs = name.startsWith(`${basename(path)}.`) && name.endsWith(".marks");
    if (isOurs) rmSync(join(folder, name), { force: true });
  }
}

function readNote(path: string): number | undefined {
  try {
    const n = Number(readFileSync(path, "utf8"));
    return Number.isSafeInteger(n) ? n : undefined;
  } catch {
    // The file is missing or cannot be read, so nothing is known.
    return undefined;
  }
}

/** Written as a whole or not at all, so that a process that dies leaves no partial number. */
function writeNote(path: string, n: number): void {
  const next = `${path}.${process.pid}`;
  writeFileSync(next, String(n), { mode: 0o600 });
  renameSync(next, path);
}
