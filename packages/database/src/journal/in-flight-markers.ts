/**
 * Markers that tell, after a process was killed, which of its requests cannot have left. A marker
 * is written after the row is durably `sending` and before the first byte of its request: a
 * `sending` row without a marker was never sent. Markers are not synced to the disk, so they are
 * valid only while the machine stays up; after a restart they prove nothing.
 */

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

import type { RowKey } from "@catalog/runs";

import { toDatabaseError } from "../errors.ts";

export interface InFlightMarkers {
  /** Throws `DatabaseError` `E_DATABASE` when the disk refuses; the request must not leave then. */
  write(key: RowKey): void;
  /**
   * Returns a function that says for a row found `sending` whether its request surely never left.
   */
  readUnsent(): (key: RowKey) => boolean;
  /** Returns the rows whose request may have left since the file was started. */
  readMarked(): readonly RowKey[];
  /** Starts a new file. Allowed only while no row of the store is `sending`. */
  clear(): void;
}

export interface MarkersPathOptions {
  /** The markers are kept beside this file. */
  readonly databasePath: string;
  /** Number of the store: its lock protects only its own markers. */
  readonly store: number;
}

/** Where there are none, nothing is ever proven. */
export const NO_MARKERS: InFlightMarkers = {
  write: () => undefined,
  readUnsent: () => () => false,
  readMarked: () => [],
  clear: () => undefined,
};

/** Linux changes this id at every start of the machine. */
const BOOT_ID = "/proc/sys/kernel/random/boot_id";

/** The file of the markers beside a database; `undefined` beside one in memory. */
export const markersPath = ({ databasePath, store }: MarkersPathOptions): string | undefined =>
  databasePath === ":memory:" ? undefined : `${databasePath}.${store}.marks`;

/** Keeps markers in a file; without one nothing is ever proven. */
export function createInFlightMarkers(path: string | undefined): InFlightMarkers {
  const bootId = readText(BOOT_ID)?.trim() ?? "";
  if (bootId === "" || path === undefined) return NO_MARKERS;
  // A file without this line was not started in this boot, so a missing marker proves nothing.
  const start = `${bootId} start`;
  const lineOf = ({ runId, row }: RowKey): string => `${bootId} ${runId} ${row}`;

  return {
    // A line break comes first too, so that a marker that was cut off does not join the next one.
    write(key) {
      try {
        appendFileSync(path, `\n${lineOf(key)}\n`, { mode: 0o600 });
      } catch (error) {
        throw toDatabaseError(error, path);
      }
    },
    readUnsent() {
      const markers = new Set(readText(path)?.split("\n"));
      return (key) => markers.has(start) && !markers.has(lineOf(key));
    },
    readMarked() {
      const lines = readText(path)?.split("\n") ?? [];
      return lines.flatMap((line) => {
        const [, runId, row] = /^\S+ (\S+) (\d+)$/u.exec(line) ?? [];
        return runId === undefined || row === undefined ? [] : [{ runId, row: Number(row) }];
      });
    },
    clear: () => writeFileSync(path, `${start}\n`, { mode: 0o600 }),
  };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The file is missing or cannot be read, so nothing is known.
    return undefined;
  }
}
