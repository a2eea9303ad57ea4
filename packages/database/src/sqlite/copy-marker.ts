/**
 * A marker in a folder outside the home that records the last event of a database when it last sent
 * something. A copy of the whole home that was restored is behind it, and so is each of two copies
 * that are used in turns: the first one that notices starts a line of its own. Without the folder
 * nothing is detected, and nothing is stopped.
 */

import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { makeFolder } from "@catalog/i18n";

import { type Mark, readMark, writeMark } from "../mark-file.ts";

export interface CopyMarkerOptions {
  readonly sqlite: DatabaseSync;
  /** A path outside the home. @default no marker */
  readonly folder: string | undefined;
}

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
