/** Opens the file so that a commit survives a power cut and only its owner can read it. */

import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { isBusy, DatabaseError, toDatabaseError } from "../errors.ts";
import { type Migration, MIGRATIONS, statementsAfter } from "../migrations/migrations.ts";
import { isAsClosed } from "./closed-mark.ts";
import { assertLocal } from "./filesystem-checks.ts";

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
export interface OpenFileOptions {
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
