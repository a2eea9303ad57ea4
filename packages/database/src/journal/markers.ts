/**
 * Markers that tell, after a process was killed, which of its requests cannot have left. A marker is
 * written after the row is durably `sending` and before the first byte of its request: a `sending` row
 * without a marker was never sent. Markers are not synced to the disk, so they are valid only while the
 * machine stays up; after a restart they prove nothing.
 */

import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { makeFolder } from "@catalog/i18n";
import type { RowKey } from "@catalog/runs";
import { z } from "zod";

import { toDatabaseError } from "../errors.ts";
import { isRunning, readPlace, readStarted } from "../locks/processes.ts";

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

interface MarkersPathOptions {
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

/** A process, as its claims name it. */
interface Sender {
  /** Its machine and namespace of process numbers. */
  readonly place: string;
  readonly pid: number;
  /** When it was started, in Linux's own unit. */
  readonly started: string;
  /** Folder of its markers. */
  readonly folder: string;
}

const senderSchema: z.ZodType<Sender> = z.object({
  place: z.string(),
  pid: z.number(),
  started: z.string(),
  folder: z.string(),
});

/**
 * Markers where the database is a server: each process that sends keeps its own in a file of its home,
 * and its claims name the process and the folder. Another process of the same machine that finds a
 * claim of a dead process reads there whether the request may have left. Nothing is proven of a process
 * that runs or is suspended: it may continue at any time. Only of this process itself it is known that an
 * earlier connection lets nothing leave without the lease, which this one has now.
 */
export interface SenderMarkers {
  /** Starts the file of this process, and names the process; `undefined` where nothing can be proven. */
  open(): Sender | undefined;
  /** Marks a row just before its first byte. Throws `DatabaseError` where the disk refuses. */
  write(key: RowKey): void;
  /** Says whether the request of a row that this sender had claimed surely never left. */
  isUnsent(sender: unknown, key: RowKey): boolean;
  /** Removes the files of dead processes, once all their claims are recovered. */
  removeDead(): void;
}

/** Where there is no folder, nothing is ever proven. */
export const NO_SENDERS: SenderMarkers = {
  open: () => undefined,
  write: () => undefined,
  isUnsent: () => false,
  removeDead: () => undefined,
};

interface SenderMarkersOptions {
  readonly folder: string;
  /** What tells the markers of one lease from those of others. */
  readonly prefix: string;
}

export function createSenderMarkers({ folder, prefix }: SenderMarkersOptions): SenderMarkers {
  const pathOf = (sender: Omit<Sender, "place">): string =>
    join(sender.folder, `${prefix}-${sender.pid}-${sender.started}`);
  let markers: InFlightMarkers | undefined;
  let own: Sender | undefined;
  return {
    open() {
      if (markers === undefined) {
        own = readOwn(folder);
        if (own === undefined) return undefined;
        makeFolder(folder);
        markers = createInFlightMarkers(pathOf(own));
        // A file of this process is of an earlier connection, whose requests may have left.
        if (!existsSync(pathOf(own))) markers.clear();
      }
      return own;
    },
    write: (key) => markers?.write(key),
    isUnsent(sender, key) {
      const { data } = senderSchema.safeParse(sender);
      if (data === undefined || data.place !== readPlace()) return false;
      // What this connection has claimed itself may be about to leave.
      const isEarlier = markers === undefined && isThisProcess(data);
      if (!isEarlier && isRunning({ ...data, ...NO_NAME })) return false;
      return createInFlightMarkers(pathOf(data)).readUnsent()(key);
    },
    removeDead() {
      const form = new RegExp(`^${prefix}-(\\d+)-(\\d+)$`, "u");
      for (const name of listNames(folder)) {
        const [, pid, startedAt] = form.exec(name) ?? [];
        if (pid === undefined || startedAt === undefined) continue;
        const note = { pid: Number(pid), started: startedAt };
        if (!isRunning({ ...note, ...NO_NAME })) rmSync(join(folder, name), { force: true });
      }
    },
  };
}

/** This process; `undefined` where the system does not reveal when it was started. */
function readOwn(folder: string): Sender | undefined {
  const started = readStarted(process.pid);
  return started === undefined
    ? undefined
    : { place: readPlace(), pid: process.pid, started, folder };
}

const isThisProcess = ({ pid, started }: Sender): boolean =>
  pid === process.pid && started === readStarted(pid);

/** A note of a process names its command for messages, which there are none of here. */
const NO_NAME = { command: "", sinceMs: 0 };

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No process of this home has sent anything yet.
    return [];
  }
}
