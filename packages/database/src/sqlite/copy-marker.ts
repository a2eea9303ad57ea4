/**
 * A mark outside the home, in a folder of the machine, that remembers how far a database had come
 * when it last sent something. A copy of the whole home that was put back lies behind it, and so does
 * each of two copies that are used in turns: the first one that notices begins a line of its own.
 * Without the folder nothing is known, and nothing is stopped.
 */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DatabaseSync } from "node:sqlite";

export interface CopyMarkerOptions {
  readonly sqlite: DatabaseSync;
  /** Outside the home. @default there is none */
  readonly folder: string | undefined;
}

export interface CopyMarker {
  /** Whether another copy of the database has sent something that this one does not know. */
  readonly isBehind: () => boolean;
  /** This copy is another one from here on than the one that the mark speaks of. */
  readonly beginLine: () => void;
  /** Marks how far the database has come. To be called when that is safely on the disk. */
  readonly write: () => void;
}

interface Mark {
  readonly line: string;
  readonly seq: number;
}

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

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
        mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
        writeMark(path, readOwn());
      } catch {
        // A full disk or a folder that is not ours: the next opening knows less, and works.
      }
    },
  };
}

function readMark(path: string): Mark | undefined {
  try {
    const mark: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isMark(mark) ? mark : undefined;
  } catch {
    // There is none yet, or it cannot be read; nothing is known then.
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

/** Whole or not at all, so that a process that dies leaves no half of it. */
function writeMark(path: string, { line, seq }: Mark): void {
  const next = `${path}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify({ line, seq })}\n`, { mode: OWNER_ONLY });
  renameSync(next, path);
}
