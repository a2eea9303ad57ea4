/**
 * One SQLite file. Kysely builds the queries; they run synchronously, so that no other caller's
 * statements can fall into a transaction.
 */

import type { DatabaseSync, StatementSync } from "node:sqlite";

import type { Clock } from "@catalog/clock";
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";

import { DatabaseError, isFileAway, isFileError, isFull, toDatabaseError } from "../errors.ts";
import { noteProcess } from "../locks/processes.ts";
import { createPatience, type DatabaseWait, type Patience } from "../patience.ts";
import {
  type FileDatabase,
  noSteps,
  readStoreKey,
  runSteps,
  type Statement,
  type StatementResult,
  type Steps,
} from "../sql/database.ts";
import { createQueries, NoDriver } from "../sql/queries.ts";
import type { Schema } from "../sql/schema.ts";
import { describeAuditBreak, findAuditBreak } from "../team/audit-records.ts";
import {
  BUSY_TIMEOUT_MS,
  createReservedSpace,
  markClosed,
  openFile,
  type ReservedSpace,
  watchDatabaseFile,
} from "./file.ts";
import { checkFile, compactFile, readFileSizes } from "./maintenance.ts";
import {
  type CopyMarker,
  countOpening,
  createCopyMarker,
  deleteInFlightMarkers,
  markRestored,
} from "./restored-copy.ts";

/** Options of {@link openDatabase}. */
interface DatabaseOptions {
  /**
   * Folder outside the home with a marker that tells an older copy of the home from the one that
   * sent last. Created when it is missing; a folder that cannot be used is ignored. @default none
   */
  readonly markFolder?: string | undefined;
  /** The command that opens the file, such as `catalog sync`, for messages. @default `catalog` */
  readonly command?: string | undefined;
  /** When the command was started, in milliseconds since 1970, for messages. @default 0 */
  readonly sinceMs?: number | undefined;
  /** How long a statement waits for another process that writes, in ms. @default 5000 */
  readonly busyTimeoutMs?: number | undefined;
  /** How work waits for a file that stays locked, or a disk that is full. @default it does not */
  readonly wait?: (DatabaseWait & { readonly clock: Clock }) | undefined;
}

/**
 * Opens the file, creates it when it is missing (readable by its owner only, in an existing
 * folder), and migrates its tables. Throws `DatabaseError` `E_DATABASE`.
 */
export async function openDatabase(
  path: string,
  options: DatabaseOptions = {},
): Promise<FileDatabase> {
  const { command = "catalog", sinceMs = 0, busyTimeoutMs } = options;
  // Noted before the file is opened, because a migration may make others wait.
  const note =
    path === ":memory:" ? undefined : noteProcess(path, { command, pid: process.pid, sinceMs });
  try {
    return createDatabase(path, openFile(path, { busyTimeoutMs }), { ...options, note });
  } catch (error) {
    note?.[Symbol.dispose]();
    throw error;
  }
}

interface OpenedOptions extends DatabaseOptions {
  /** Ends with the database. @default none */
  readonly note?: Disposable | undefined;
}

/** A database on an open connection. Private to this package. */
export function createDatabase(
  path: string,
  sqlite: DatabaseSync,
  { markFolder, note, busyTimeoutMs = BUSY_TIMEOUT_MS, wait }: OpenedOptions,
): FileDatabase {
  const isInMemory = path === ":memory:";
  const marker = createCopyMarker({ sqlite, folder: isInMemory ? undefined : markFolder });
  const generation = isInMemory ? "current" : openDetectingRestore(sqlite, path, marker);
  const reserved = createReservedSpace({ databasePath: path });
  const queries = createQueries(createBuilder());
  const patience = createPatience(wait ?? { clock: NO_CLOCK }, isFileAway);
  const commits = createCommits(sqlite, { path, reserved, busyTimeoutMs, patience });
  let hasSent = false;
  const close = (): void => {
    if (!sqlite.isOpen) return;
    if (!isInMemory) closeCounted(sqlite, path);
    if (hasSent) marker.write();
    sqlite.close();
    if (!isInMemory) markClosed(path);
    note?.[Symbol.dispose]();
  };

  const database: FileDatabase = {
    dialect: "sqlite",
    path,
    isRestored: generation === "restored",
    storeKey: (address) => commits.executeNow(readStoreKey(queries, address)),
    noteSent() {
      hasSent = true;
      marker.write();
    },
    // Each transaction looks whether the file was replaced.
    assertCurrent: () => noSteps(undefined),
    assertDiskSpace: () => reserved.assertKept(),
    ready: () =>
      patience.outlast(async () => {
        reserved.assertKept();
        commits.transactNow(() => noSteps(undefined));
      }),
    ...queries,
    ...commits,
    async check() {
      const faults = checkFile(database);
      // A damaged file may not be readable.
      if (faults.length > 0) return faults;
      return describeAuditBreak(database.executeNow(findAuditBreak(database)));
    },
    forStore: () => database,
    across: () => database,
    readSeparation: async () => "none",
    readSizes: async () => readFileSizes(database),
    compact: async () => compactFile(database),
    close,
    [Symbol.dispose]: close,
  };
  return database;
}

type Commits = Pick<
  FileDatabase,
  | "executeNow"
  | "transactNow"
  | "execute"
  | "transaction"
  | "snapshot"
  | "transactionUnsynced"
  | "transactionAtOnce"
>;

interface CommitOptions {
  readonly path: string;
  readonly reserved: ReservedSpace;
  readonly busyTimeoutMs: number;
  readonly patience: Patience;
}

/** Where nothing waits, no time is asked for. */
const NO_CLOCK = { now: () => 0, sleep: () => Promise.resolve() };

function createCommits(
  sqlite: DatabaseSync,
  { path, reserved, busyTimeoutMs, patience }: CommitOptions,
): Commits {
  const assertFileUnmoved = path === ":memory:" ? () => undefined : watchDatabaseFile(path);
  const guard = createGuard(path);
  const unsynced = createUnsynced(sqlite, guard);
  const run = createRunner(sqlite, guard);
  const executeNow = <Result>(steps: Steps<Result>): Result => runSteps(steps, run);
  const transactNow = <Result>(work: () => Steps<Result>): Result =>
    withDiskSpace(reserved, () => {
      assertFileUnmoved();
      return transact(sqlite, guard, () => executeNow(work()));
    });
  return {
    executeNow,
    transactNow,
    execute: (steps) => executePatiently(steps, { run, patience }),
    transaction: (work) => patience.outlast(async () => transactNow(work)),
    snapshot: async (work) => readSnapshot(sqlite, guard, () => executeNow(work())),
    transactionUnsynced: (work) => patience.outlast(async () => unsynced(() => transactNow(work))),
    async transactionAtOnce(work) {
      assertFileUnmoved();
      return withoutWaiting(sqlite, busyTimeoutMs, () =>
        unsynced(() => transact(sqlite, guard, () => executeNow(work()))),
      );
    },
  };
}

/** Runs all steps at once, but for the wait after a statement that met a lock or a full disk. */
async function executePatiently<Result>(
  steps: Steps<Result>,
  {
    run,
    patience,
  }: { readonly run: (one: Statement) => StatementResult } & Pick<CommitOptions, "patience">,
): Promise<Result> {
  let turn = steps.next();
  while (turn.done !== true) {
    const { value } = turn;
    try {
      let result: StatementResult;
      try {
        result = "works" in value ? value.works.map((work) => runSteps(work, run)) : run(value);
      } catch (error) {
        if ("works" in value || !isFileAway(error)) throw error;
        result = await patience.outlast(async () => run(value));
      }
      turn = steps.next(result);
    } catch (error) {
      turn = steps.throw(error);
    }
  }
  return turn.value;
}

type Guard = <Result>(work: () => Result) => Result;

function createUnsynced(
  sqlite: DatabaseSync,
  guard: Guard,
): <Result>(work: () => Result) => Result {
  return (work) => {
    guard(() => sqlite.exec("PRAGMA synchronous=NORMAL"));
    try {
      return work();
    } finally {
      sqlite.exec("PRAGMA synchronous=FULL");
    }
  };
}

/** Runs work whose statements do not wait for other processes. */
function withoutWaiting<Result>(
  sqlite: DatabaseSync,
  busyTimeoutMs: number,
  work: () => Result,
): Result {
  sqlite.exec("PRAGMA busy_timeout=0");
  try {
    return work();
  } finally {
    sqlite.exec(`PRAGMA busy_timeout=${busyTimeoutMs}`);
  }
}

function transact<Result>(sqlite: DatabaseSync, guard: Guard, work: () => Result): Result {
  guard(() => sqlite.exec("BEGIN IMMEDIATE"));
  try {
    const result = work();
    guard(() => sqlite.exec("COMMIT"));
    return result;
  } catch (error) {
    // A failed statement or commit may have rolled back already.
    if (sqlite.isTransaction) sqlite.exec("ROLLBACK");
    throw error;
  }
}

function readSnapshot<Result>(sqlite: DatabaseSync, guard: Guard, work: () => Result): Result {
  guard(() => sqlite.exec("BEGIN"));
  try {
    return work();
  } finally {
    if (sqlite.isTransaction) sqlite.exec("COMMIT");
  }
}

/** On a full disk the reserved space is freed, and the work is done once more. */
function withDiskSpace<Result>(reserved: ReservedSpace, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DatabaseError) || !isFull(error.cause) || !reserved.drop()) throw error;
    return work();
  }
}

function openDetectingRestore(
  sqlite: DatabaseSync,
  path: string,
  marker: CopyMarker,
): "current" | "restored" {
  try {
    const generation = countOpening(sqlite, path);
    if (!marker.isBehind()) return generation;
    leaveLine(sqlite, path, marker);
    return "restored";
  } catch (error) {
    sqlite.close();
    throw toDatabaseError(error, path);
  }
}

/** The marker records another copy of the file, and what that copy has sent is not known here. */
function leaveLine(sqlite: DatabaseSync, path: string, marker: CopyMarker): void {
  sqlite.exec("BEGIN IMMEDIATE");
  markRestored(sqlite);
  marker.beginLine();
  sqlite.exec("COMMIT");
  deleteInFlightMarkers(path);
  marker.write();
}

/**
 * A copy made before this closing lacks what was sent since the opening; the counters show that.
 */
function closeCounted(sqlite: DatabaseSync, path: string): void {
  try {
    countOpening(sqlite, path);
  } catch {
    // The file is gone, locked or full. The next opening counts on from what is written.
  }
}

/** Converts SQLite's errors about the file into errors with a code. */
function createGuard(path: string): Guard {
  return (work) => {
    try {
      return work();
    } catch (error) {
      throw isFileError(error) ? toDatabaseError(error, path) : error;
    }
  };
}

function createRunner(
  sqlite: DatabaseSync,
  guard: Guard,
): (statement: Statement) => StatementResult {
  const statementOf = createStatements(sqlite);
  return ({ sql, values, want }) =>
    guard(() =>
      want === "rows"
        ? statementOf(sql).all(...values)
        : Number(statementOf(sql).run(...values).changes),
    );
}

/** Caches each prepared statement; so there must be few different texts. */
function createStatements(sqlite: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = sqlite.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}

function createBuilder(): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new NoDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}
