/**
 * The file of a database: on a local disk, checked and opened so that a commit survives a power cut and
 * only its owner can read it, with disk space reserved beside it.
 */

import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { DatabaseError, isBusy, toDatabaseError } from "../errors.ts";
import { readProcesses } from "../locks/processes.ts";
import { type Migration, MIGRATIONS, statementsAfter } from "../sql/migrations.ts";

/** File systems whose locks and syncs are unreliable, by their type numbers in Linux. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x69_69, "NFS"],
  [0x51_7b, "SMB"],
  [0xfe_53_4d_42, "SMB2"],
  [0xff_53_4d_42, "CIFS"],
  [0x01_02_19_97, "9p"],
  [0x65_73_55_46, "FUSE"],
  [0x00_c3_64_00, "Ceph"],
  [0x53_46_41_4f, "AFS"],
]);

/** Returns the name of the network file system of this type; `undefined` for any other type. */
export function toNetworkName(type: number): string | undefined {
  return NETWORK_TYPES.get(type);
}

/** Throws `DatabaseError` `E_DATABASE_NETWORK` where the folder is not on a local disk. */
export function assertLocal(path: string, typeOf: (folder: string) => number = readType): void {
  const folder = dirname(path);
  const name = toNetworkName(typeOf(folder));
  if (name !== undefined) throw new DatabaseError("E_DATABASE_NETWORK", `${folder}: ${name}`);
}

const readType = (folder: string): number => statfsSync(folder).type;

/** Returns the free bytes on the disk of the file. */
export function readFreeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
}

/**
 * Remembers the identity of the file. The returned function throws `DatabaseError`
 * `E_DATABASE_REPLACED` when the path now leads to another file or to none, because writes to the
 * old file would be lost.
 */
export function watchDatabaseFile(path: string): () => void {
  const read = (): string | undefined => {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found === undefined ? undefined : `${found.dev} ${found.ino}`;
  };
  const opened = read();
  return () => {
    if (read() !== opened) throw new DatabaseError("E_DATABASE_REPLACED", path);
  };
}

/**
 * Whether the file was sound when it was closed, and nothing can have damaged it since: a mark beside it
 * has its state as the last process closed it. A process that was killed leaves SQLite's log, a copy
 * and an edit change the file, and a machine that stopped may have lost what it had written.
 */
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

const MIB = 1024 * 1024;
const RESERVED_BYTES = 8 * MIB;

/** Minimum free space for sending anything new. */
export const MIN_FREE_BYTES: number = 64 * MIB;

/**
 * Disk space that is reserved beside the database and freed when the disk is full, so that the outcomes
 * of requests under way can still be written. Without it nothing new is sent.
 */
export interface ReservedSpace {
  /**
   * Throws `DatabaseError` `E_DISK_FULL` when the space is not reserved and cannot be. Space that was
   * freed is reserved again once the disk has room for it.
   */
  assertKept(): void;
  /** Frees the space. Returns whether any was reserved. */
  drop(): boolean;
}

interface ReservedSpaceOptions {
  readonly databasePath: string;
  /** @default asks the file system */
  readonly freeBytes?: (path: string) => number;
}

/** Reserves nothing before `assertKept` is called; a database in memory needs none. */
export function createReservedSpace({
  databasePath,
  freeBytes = readFreeBytes,
}: ReservedSpaceOptions): ReservedSpace {
  if (databasePath === ":memory:") return { assertKept: () => undefined, drop: () => false };
  const path = `${databasePath}.ballast`;
  let isKept = false;
  const refuse = (): never => {
    throw new DatabaseError("E_DISK_FULL", databasePath);
  };

  return {
    assertKept() {
      if (isKept) return;
      if (freeBytes(databasePath) < MIN_FREE_BYTES) refuse();
      try {
        // Written, not only sized: a sparse file occupies no space that could be freed.
        if (!existsSync(path)) writeFileSync(path, new Uint8Array(RESERVED_BYTES), { mode: 0o600 });
      } catch (error) {
        throw toDatabaseError(error, path);
      }
      isKept = true;
    },
    drop() {
      isKept = false;
      if (!existsSync(path)) return false;
      rmSync(path, { force: true });
      return true;
    },
  };
}

/** How long a statement waits for another process's lock. */
export const BUSY_TIMEOUT_MS = 5_000;

/** More than the number of processes that could open a new file at once. */
const MAX_ATTEMPTS = 100;

/** The file holds tokens and customers' catalogs. */
const OWNER_ONLY = 0o600;

/** Marks the file as a database of this program ("CTLG"). */
const APPLICATION_ID = 0x43_54_4c_47;

/** The mark of versions before 1.0, which were not released ("CATL"). */
const UNRELEASED_ID = 0x43_41_54_4c;

/** How the file is opened. */
interface OpenFileOptions {
  /** How long a statement waits for another process that writes. @default 5000 */
  readonly busyTimeoutMs?: number | undefined;
  /** @default those of this version */
  readonly migrations?: readonly Migration[];
}

/**
 * Opens the file, creates it when it is missing, and migrates its tables. Refuses a file on a
 * network file system, a file of another program or version, and a damaged file.
 */
export function openFile(
  path: string,
  { busyTimeoutMs = BUSY_TIMEOUT_MS, migrations = MIGRATIONS }: OpenFileOptions = {},
): DatabaseSync {
  let sqlite: DatabaseSync | undefined;
  try {
    if (path !== ":memory:") assertLocal(path);
    assertNotMoved(path);
    // SQLite would create the file readable for the group until its mode is changed.
    if (path !== ":memory:") closeSync(openSync(path, "a", OWNER_ONLY));
    const isChecked = isAsClosed(path);
    sqlite = new DatabaseSync(path, { timeout: busyTimeoutMs });
    assertOurs(sqlite, path);
    // Applies to new files only. Rows of 1 to 4 kB, as sheets have them, then fit into their
    // table's own pages instead of an overflow page each: a third less file size and planning time.
    sqlite.exec("PRAGMA page_size=16384");
    // Free pages can then be given back to the disk. In a file with tables it would only write.
    if (isEmpty(sqlite)) sqlite.exec("PRAGMA auto_vacuum=INCREMENTAL");
    enableWal(sqlite);
    sqlite.exec("PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON");
    // A statement that fires a trigger keeps the pages that it changes until it ends, by default in
    // a file: each planned row cost two writes of whole pages there. Sorts are small by design.
    sqlite.exec("PRAGMA temp_store=MEMORY");
    if (!isChecked) assertSound(sqlite, path);
    if (readVersion(sqlite) !== migrations.length) migrate(sqlite, path, migrations);
    return sqlite;
  } catch (error) {
    sqlite?.close();
    throw toDatabaseError(error, path);
  }
}

/** A file that was copied to a server must not begin anew as an empty one. */
function assertNotMoved(path: string): void {
  const note = `${path}.moved`;
  if (existsSync(note)) throw new DatabaseError("E_DATABASE_MOVED", readFileSync(note, "utf8"));
}

const isEmpty = (sqlite: DatabaseSync): boolean =>
  sqlite.prepare("PRAGMA page_count").get()?.["page_count"] === 0;

/**
 * Switches on WAL mode. Of two processes that open a new file one is refused, because this
 * statement does not wait for locks; so it waits with another statement and tries again.
 */
function enableWal(sqlite: DatabaseSync): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      sqlite.exec("PRAGMA journal_mode=WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || attempt === MAX_ATTEMPTS) throw error;
      sqlite.exec("BEGIN IMMEDIATE; COMMIT");
    }
  }
}

/**
 * Runs the migrations that the file has not run yet, all or none. It reads the version again once
 * it holds the write lock, because two processes may open a new file at the same moment.
 */
function migrate(sqlite: DatabaseSync, path: string, migrations: readonly Migration[]): void {
  sqlite.exec("BEGIN IMMEDIATE");
  const version = readVersion(sqlite);
  const newest = migrations.length;
  if (version > newest) {
    throw new DatabaseError("E_DATABASE_NEWER", {
      tr: `${path}: yapısı ${version}, bu sürümün bildiği ${newest}`,
      en: `${path}: its layout is ${version}, this version knows ${newest}`,
    });
  }
  sqlite.exec(statementsAfter(version, "sqlite", migrations));
  sqlite.exec(`PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=${newest}; COMMIT`);
}

/**
 * A file without an application id is new, and has no tables. Both are read in one statement,
 * because another process may make the tables meanwhile.
 */
function assertOurs(sqlite: DatabaseSync, path: string): void {
  const found = sqlite
    .prepare(
      `SELECT application_id AS id, EXISTS (SELECT 1 FROM sqlite_schema) AS has_tables
       FROM pragma_application_id`,
    )
    .get();
  const id = found?.["id"];
  if (id === UNRELEASED_ID) throw new DatabaseError("E_DATABASE_OLDER", path);
  const isNew = id === 0 && found?.["has_tables"] === 0;
  if (id !== APPLICATION_ID && !isNew) throw new DatabaseError("E_DATABASE_FOREIGN", path);
}

/**
 * A damaged file's history cannot be trusted, and the history decides what is sent. The check reads
 * the whole file, 0.9 ms a megabyte.
 */
function assertSound(sqlite: DatabaseSync, path: string): void {
  const found = sqlite.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
  if (found !== "ok")
    throw new DatabaseError(
      "E_DATABASE_DAMAGED",
      `${path}: ${String(found).replaceAll(/\s+/gu, " ")}`,
    );
}

function readVersion(sqlite: DatabaseSync): number {
  return Number(sqlite.prepare("PRAGMA user_version").get()?.["user_version"]);
}

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
 * Sets aside a file that a version before 1.0 made, and returns its new path; `undefined` where
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
