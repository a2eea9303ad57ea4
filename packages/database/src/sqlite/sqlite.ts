/**
 * One SQLite file. Kysely builds the queries; they run synchronously, so that no other caller's
 * statements can fall into a transaction.
 */

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

import { isFileError, isFull, DatabaseError, toDatabaseError } from "../errors.ts";
import { noteProcess } from "../locks/process-note.ts";
import { type CopyMarker, createCopyMarker } from "./copy-marker.ts";
import { watchDatabaseFile } from "./filesystem-checks.ts";
import { BUSY_TIMEOUT_MS, openFile } from "./open-file.ts";
import { type Arg, type EachArg, prepareEach, prepareOne, toInput } from "./prepared.ts";
import { type ReservedSpace, createReservedSpace } from "./reserved-space.ts";
import { countOpening, deleteInFlightMarkers, markRestored } from "./restore-detection.ts";
import type { Schema } from "./schema.ts";

/**
 * An open database. Its methods throw `DatabaseError` `E_DATABASE` when the file or the disk refuses;
 * SQLite's errors about a statement are passed on.
 */
export interface Database extends Disposable {
  readonly path: string;
  /**
   * Whether an older copy was put in the file's place since it was closed, so that its history is
   * incomplete.
   */
  readonly isRestored: boolean;
  /** Records that something was sent and is written: a copy that was made before is now behind. */
  noteSent(): void;
  /** Throws `DatabaseError` `E_DISK_FULL` when there is too little free space to send anything new. */
  assertDiskSpace(): void;
  /** Builds queries; it runs none. */
  readonly build: Kysely<Schema>;
  all<Row>(query: Compilable<Row>): Row[];
  get<Row>(query: Compilable<Row>): Row | undefined;
  /** Returns the number of changed rows. */
  run(query: Compilable<unknown>): number;
  /** Compiles a query once, for code that runs it for every row. */
  prepare<Args extends object>(
    build: (arg: Arg<Args>) => Compilable<unknown>,
  ): (args: Args) => number;
  /** Does the same for a query that finds at most one row. */
  prepareGet<Args extends object, Row>(
    build: (arg: Arg<Args>) => Compilable<Row>,
  ): (args: Args) => Row | undefined;
  /** Does the same for a query that finds any number of rows. */
  prepareAll<Args extends object, Row>(
    build: (arg: Arg<Args>) => Compilable<Row>,
  ): (args: Args) => Row[];
  /**
   * Does the same for many rows at a time: `build` gets one argument for each row of a statement.
   */
  prepareEach<Row extends object>(
    build: (rows: EachArg<Row>) => Compilable<unknown>,
  ): (rows: readonly Row[]) => number;
  /**
   * Commits all of `work` or nothing. `work` must be synchronous; it is called again when the disk
   * was full and space could be freed.
   */
  transaction<Result>(work: () => Result): Result;
  /**
   * Runs `work` in a savepoint: when it throws, its writes are undone and the rest of the
   * transaction stays.
   */
  savepoint<Result>(work: () => Result): Result;
  /**
   * Runs synchronous `work` that only reads: all of its queries see the same state of the file,
   * whatever other processes commit meanwhile.
   */
  snapshot<Result>(work: () => Result): Result;
  /**
   * Commits without waiting for the disk: the death of the process loses nothing, but a power cut
   * may lose it until the next {@link Database.transaction} or `run`, which syncs it too. For data
   * that can be read or planned again and is confirmed by a synced commit.
   */
  transactionUnsynced<Result>(work: () => Result): Result;
  /**
   * Does the same for work that may as well be done another time: it waits for no other process and
   * frees no reserved space. Throws `DatabaseError` `E_DATABASE_BUSY` or `E_DISK_FULL` instead.
   */
  transactionAtOnce<Result>(work: () => Result): Result;
  close(): void;
}

/** Options of {@link openDatabase}. */
export interface DatabaseOptions {
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
}

export interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/**
 * Opens the file, creates it when it is missing (readable by its owner only, in an existing
 * folder), and migrates its tables. Throws `DatabaseError` `E_DATABASE`.
 */
export async function openDatabase(path: string, options: DatabaseOptions = {}): Promise<Database> {
  const { command = "catalog", sinceMs = 0, busyTimeoutMs } = options;
  // Noted before the file is opened, because a migration may make others wait.
  const note =
    path === ":memory:" ? undefined : noteProcess(path, { command, pid: process.pid, sinceMs });
  try {
    return createDatabase(path, openFile(path, busyTimeoutMs), { ...options, note });
  } catch (error) {
    note?.[Symbol.dispose]();
    throw error;
  }
}

interface OpenedOptions extends DatabaseOptions {
  readonly note: Disposable | undefined;
}

function createDatabase(
  path: string,
  sqlite: DatabaseSync,
  { markFolder, note, busyTimeoutMs = BUSY_TIMEOUT_MS }: OpenedOptions,
): Database {
  const isInMemory = path === ":memory:";
  const marker = createCopyMarker({ sqlite, folder: isInMemory ? undefined : markFolder });
  const generation = isInMemory ? "current" : openDetectingRestore(sqlite, path, marker);
  const assertFileUnmoved = isInMemory ? () => undefined : watchDatabaseFile(path);
  const reserved = createReservedSpace({ databasePath: path });
  const guard = createGuard(path);
  const unsynced = createUnsynced(sqlite, guard);
  const transaction = <Result>(work: () => Result): Result =>
    withDiskSpace(reserved, () => {
      assertFileUnmoved();
      return transact(sqlite, guard, work);
    });
  let hasSent = false;
  const close = (): void => {
    if (!sqlite.isOpen) return;
    if (!isInMemory) closeCounted(sqlite, path);
    if (hasSent) marker.write();
    sqlite.close();
    note?.[Symbol.dispose]();
  };

  return {
    path,
    isRestored: generation === "restored",
    noteSent() {
      hasSent = true;
      marker.write();
    },
    assertDiskSpace: () => reserved.assertKept(),
    build: createBuilder(),
    ...createQueries(createRunner(sqlite, guard)),
    transaction,
    savepoint: (work) => transactSavepoint(sqlite, guard, work),
    snapshot: (work) => readSnapshot(sqlite, guard, work),
    transactionUnsynced: (work) => unsynced(() => transaction(work)),
    transactionAtOnce(work) {
      assertFileUnmoved();
      return withoutWaiting(sqlite, busyTimeoutMs, () =>
        unsynced(() => transact(sqlite, guard, work)),
      );
    },
    close,
    [Symbol.dispose]: close,
  };
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

function transactSavepoint<Result>(sqlite: DatabaseSync, guard: Guard, work: () => Result): Result {
  guard(() => sqlite.exec("SAVEPOINT part"));
  try {
    const result = work();
    guard(() => sqlite.exec("RELEASE part"));
    return result;
  } catch (error) {
    // On a full disk SQLite may have rolled back the whole transaction with its savepoints.
    if (sqlite.isTransaction) sqlite.exec("ROLLBACK TO part; RELEASE part");
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

interface Runner {
  readonly read: <Row>(sql: string, input: readonly SQLInputValue[]) => Row[];
  /** Returns the number of changed rows. */
  readonly run: (sql: string, input: readonly SQLInputValue[]) => number;
}

function createRunner(sqlite: DatabaseSync, guard: Guard): Runner {
  const statementOf = createStatements(sqlite);
  return {
    read: <Row>(sql: string, input: readonly SQLInputValue[]) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the builder knows its columns
      guard(() => statementOf(sql).all(...input)) as Row[],
    run: (sql, input) => guard(() => Number(statementOf(sql).run(...input).changes)),
  };
}

type Queries = Pick<
  Database,
  "all" | "get" | "run" | "prepare" | "prepareGet" | "prepareAll" | "prepareEach"
>;

function createQueries({ read, run }: Runner): Queries {
  const all = <Row>(query: Compilable<Row>): Row[] => {
    const { sql, parameters } = query.compile();
    return read(sql, parameters.map(toInput));
  };
  return {
    all,
    get: (query) => all(query)[0],
    run(query) {
      const { sql, parameters } = query.compile();
      return run(sql, parameters.map(toInput));
    },
    prepare: (make) => prepareOne(make, run),
    prepareGet<Args extends object, Row>(make: (arg: Arg<Args>) => Compilable<Row>) {
      return prepareOne(make, (sql, input) => read<Row>(sql, input)[0]);
    },
    prepareAll<Args extends object, Row>(make: (arg: Arg<Args>) => Compilable<Row>) {
      return prepareOne(make, (sql, input) => read<Row>(sql, input));
    },
    prepareEach: (make) => prepareEach(make, run),
  };
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

/** Builds and compiles queries only; throws when one is executed through it. */
class NoDriver extends DummyDriver {
  override acquireConnection(): Promise<never> {
    return Promise.reject(new Error("give the query to the database instead of executing it"));
  }
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
