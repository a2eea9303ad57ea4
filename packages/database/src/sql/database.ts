/**
 * What the journal and the repositories need of a database, whether SQLite or PostgreSQL. Work on it is a
 * generator: it yields statements and is given their results. SQLite runs it synchronously, so that
 * nothing of this process comes between its statements; PostgreSQL runs the same code and waits for each
 * answer.
 */

import { canonicalAddress, canonicalStoreId } from "@catalog/client/market-address";
import type { CompiledQuery, Insertable, Kysely, Selectable } from "kysely";

import { DatabaseError, isAway, isConflict } from "../errors.ts";
import type { CompactOutcome, DatabaseSizes } from "../sqlite/maintenance.ts";
import type { Crossing } from "./row-security.ts";
import type { Schema } from "./schema.ts";

/** A value that both databases can store. */
export type SqlValue = null | string | number | Uint8Array;

/** A statement with its values. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** `rows`: the caller reads the rows found. `changes`: it reads the number of changed rows. */
  readonly want: "rows" | "changes";
}

/** Says whether a statement certainly only reads. */
export const onlyReads = ({ sql, want }: Statement): boolean =>
  want === "rows" && /^\s*(?:select|with)\b/iu.test(sql);

/** Works of which none depends on another one; each keeps the order of its own statements. */
export interface Together {
  readonly works: readonly Steps<unknown>[];
}

/** The result of a statement: what its `want` names; of several works the result of each. */
export type StatementResult = readonly unknown[] | number;

/**
 * Work that yields statements. A statement that fails throws at its `yield`, with the error of the
 * database.
 */
export type Steps<Result> = Generator<Statement | Together, Result, StatementResult>;

/** Yields a statement for rows. */
export function* readRows<Row>(sql: string, values: readonly SqlValue[]): Steps<Row[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the builder knows its columns
  return (yield { sql, values, want: "rows" }) as Row[];
}

/** Yields a statement that changes rows; returns their number. */
export function* changeRows(sql: string, values: readonly SqlValue[]): Steps<number> {
  return Number(yield { sql, values, want: "changes" });
}

/** Work that needs no statement. */
// oxlint-disable-next-line eslint/require-yield -- it has nothing to yield
export function* noSteps<Result>(result: Result): Steps<Result> {
  return result;
}

/** Runs the steps one after the other and returns their results. */
export function* eachStep<Item, Result>(
  items: Iterable<Item>,
  make: (item: Item) => Steps<Result>,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(yield* make(item));
  return results;
}

/**
 * Runs works of which none depends on another one, and returns their results. PostgreSQL is given
 * their statements without waiting for one work after the other, so that all share its round trips.
 * One that fails fails all, after the others have ended.
 */
export function* together<Results extends readonly unknown[]>(works: {
  readonly [At in keyof Results]: Steps<Results[At]>;
}): Steps<Results> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are the results of `works`
  return (yield { works }) as unknown as Results;
}

/** Runs the work without waiting; `run` runs one statement. */
export function runSteps<Result>(
  steps: Steps<Result>,
  run: (statement: Statement) => StatementResult,
): Result {
  let turn = steps.next();
  while (turn.done !== true) {
    let result: StatementResult;
    try {
      const { value } = turn;
      result = "works" in value ? value.works.map((work) => runSteps(work, run)) : run(value);
    } catch (error) {
      turn = steps.throw(error);
      continue;
    }
    turn = steps.next(result);
  }
  return turn.value;
}

/** Does the same where each statement has to be waited for. */
export async function awaitSteps<Result>(
  steps: Steps<Result>,
  run: (statement: Statement) => Promise<StatementResult>,
): Promise<Result> {
  let turn = steps.next();
  while (turn.done !== true) {
    let result: StatementResult;
    try {
      const { value } = turn;
      result = await ("works" in value ? awaitAll(value.works, run) : run(value));
    } catch (error) {
      turn = steps.throw(error);
      continue;
    }
    turn = steps.next(result);
  }
  return turn.value;
}

/** Rejects with the first error, once all works have ended: nothing of them comes later. */
async function awaitAll(
  works: readonly Steps<unknown>[],
  run: (statement: Statement) => Promise<StatementResult>,
): Promise<readonly unknown[]> {
  const running = works.map((work) => awaitSteps(work, run));
  const all = Promise.all(running);
  await Promise.allSettled([all, ...running]);
  return await all;
}

/**
 * Writes all items within the caller's transaction, and returns the result of each. Failures are
 * rare, so all items share one savepoint; only when an item fails, that savepoint is rolled back
 * and each item gets its own. Throws where the disk or the server refuses, because that concerns all
 * of them.
 */
export function* inSavepoints<Item, Result>(
  { savepoint }: Pick<Queries, "savepoint">,
  items: readonly Item[],
  write: (item: Item) => Steps<Result>,
): Steps<readonly PromiseSettledResult<Result>[]> {
  const writeOne = (item: Item): Steps<PromiseFulfilledResult<Result>> => fulfil(write(item));
  try {
    return yield* savepoint(() => together(items.map(writeOne)));
  } catch (error) {
    if (concernsAll(error)) throw error;
  }
  return yield* eachStep(items, (item) => settle(savepoint(() => writeOne(item))));
}

function* fulfil<Result>(writing: Steps<Result>): Steps<PromiseFulfilledResult<Result>> {
  return { status: "fulfilled", value: yield* writing };
}

function* settle<Result>(
  writing: Steps<PromiseFulfilledResult<Result>>,
): Steps<PromiseSettledResult<Result>> {
  try {
    return yield* writing;
  } catch (error) {
    if (concernsAll(error)) throw error;
    return { status: "rejected", reason: error };
  }
}

const concernsAll = (error: unknown): boolean =>
  error instanceof DatabaseError || isAway(error) || isConflict(error);

export interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/** A placeholder for a value that is given later; typed as that value. */
export type Arg<Args> = <Name extends keyof Args & string>(name: Name) => Args[Name];

/**
 * What becomes of a row that is there already: it stays, or the columns of the row that has the same
 * key are replaced. @default an error
 */
export type OnKnown<Column extends string> = "keep" | { readonly replaceBy: readonly Column[] };

/** Queries as steps; they run nothing by themselves. */
export interface Queries {
  /** Builds queries; it runs none. */
  readonly build: Kysely<Schema>;
  readonly all: <Row>(query: Compilable<Row>) => Steps<Row[]>;
  readonly get: <Row>(query: Compilable<Row>) => Steps<Row | undefined>;
  /** Returns the number of changed rows. */
  readonly run: (query: Compilable<unknown>) => Steps<number>;
  /** Compiles an insert once, for code that runs it for every row; rows may be many at a time. */
  readonly prepareInsert: <Table extends keyof Schema, Column extends keyof Schema[Table] & string>(
    table: Table,
    columns: readonly Column[],
    onKnown?: OnKnown<Column>,
  ) => (
    rows: readonly Pick<Insertable<Schema[Table]>, Column & keyof Insertable<Schema[Table]>>[],
  ) => Steps<number>;
  /** Does so for an update of columns of the rows that have the key. */
  readonly prepareUpdate: <Table extends keyof Schema, Column extends keyof Schema[Table] & string>(
    table: Table,
    key: readonly Column[],
    columns: readonly Column[],
  ) => (
    row: Pick<Selectable<Schema[Table]>, Column & keyof Selectable<Schema[Table]>>,
  ) => Steps<number>;
  /** Does so for the deletion of the rows that have the key. */
  readonly prepareDelete: <Table extends keyof Schema, Column extends keyof Schema[Table] & string>(
    table: Table,
    key: readonly Column[],
  ) => (
    row: Pick<Selectable<Schema[Table]>, Column & keyof Selectable<Schema[Table]>>,
  ) => Steps<number>;
  /** Inserts a row, or replaces these columns of the row that has the key. */
  readonly upsert: <Table extends keyof Schema>(
    table: Table,
    key: readonly (keyof Schema[Table] & string)[],
    columns: Insertable<Schema[Table]>,
  ) => Steps<number>;
  /** Compiles a query once, for code that runs it for every row. */
  readonly prepare: <Args extends object>(
    build: (arg: Arg<Args>) => Compilable<unknown>,
  ) => (args: Args) => Steps<number>;
  /** Does the same for a query that finds at most one row. */
  readonly prepareGet: <Args extends object, Row>(
    build: (arg: Arg<Args>) => Compilable<Row>,
  ) => (args: Args) => Steps<Row | undefined>;
  /** Does the same for a query that finds any number of rows. */
  readonly prepareAll: <Args extends object, Row>(
    build: (arg: Arg<Args>) => Compilable<Row>,
  ) => (args: Args) => Steps<Row[]>;
  /**
   * Runs steps in a savepoint: when they throw, their writes are undone and the rest of the
   * transaction stays. Only within a transaction.
   */
  readonly savepoint: <Result>(work: () => Steps<Result>) => Steps<Result>;
}

/**
 * How rows of several stores are held apart besides by the conditions of statements.
 *
 * - `enforced`: the server shows each transaction only rows of its store.
 * - `bypassed`: it would, but not for this role: a superuser, or one with BYPASSRLS.
 * - `none`: the database is a file.
 */
export type Separation = "enforced" | "bypassed" | "none";

/**
 * An open database. Its methods reject with `DatabaseError` when the database cannot be used; errors
 * about a statement are passed on. On SQLite all steps of a call run before the call returns.
 */
export interface Database extends Queries, Disposable {
  readonly dialect: "sqlite" | "postgres";
  /** Path of the file; of PostgreSQL the address without its password. */
  readonly path: string;
  /** Whether an older copy was put in its place since it was last used, so that its history is incomplete. */
  readonly isRestored: boolean;
  /** Returns the number under which rows of a store are kept; a store gets it when it is first used. */
  storeKey(address: { readonly baseUrl: string; readonly storeId: string }): number;
  /**
   * The same database for another store, by its number. A server shows rows of one store at a time,
   * whatever a statement asks for; a file shows all.
   */
  forStore(store: number): Database;
  /** The same database for what crosses stores on purpose. */
  across(crossing: Crossing): Database;
  /**
   * Throws `DatabaseError` `E_DATABASE_RESTORED` where the rows are not those that were opened any
   * more; within a transaction that begins requests. A file is looked at by each of its transactions.
   */
  readonly assertCurrent: () => Steps<void>;
  /**
   * Returns what is wrong with the database, in its own words; empty when it is sound. Reads the whole
   * file; of PostgreSQL its rules and settings. Rejects with `DatabaseError` where it cannot be read.
   */
  check(): Promise<readonly string[]>;
  /** Reads whether stores are held apart. */
  readSeparation(): Promise<Separation>;
  /** Reads how many bytes belong to what. */
  readSizes(): Promise<DatabaseSizes>;
  /** Gives free space back to the disk; PostgreSQL does so by itself (autovacuum). */
  compact(): Promise<CompactOutcome>;
  /** Records that something was sent and is written: a copy that was made before is now behind. */
  noteSent(): void;
  /** Throws `DatabaseError` `E_DISK_FULL` when there is too little free space to send anything new. */
  assertDiskSpace(): void;
  /** Runs steps outside a transaction: each statement is a commit of its own. */
  execute<Result>(steps: Steps<Result>): Promise<Result>;
  /**
   * Commits all of `work` or nothing, synced before it resolves. Transactions of one store exclude
   * each other. `work` may be called again, after a full disk or a conflict.
   */
  transaction<Result>(work: () => Steps<Result>): Promise<Result>;
  /** Runs steps that only read: all of them see the same state, whatever others commit meanwhile. */
  snapshot<Result>(work: () => Steps<Result>): Promise<Result>;
  /**
   * On SQLite, commits without waiting for the disk: the death of the process loses nothing, but a
   * power cut may lose it until the next synced commit. For data that can be read or planned again
   * and is confirmed by a synced commit.
   */
  transactionUnsynced<Result>(work: () => Steps<Result>): Promise<Result>;
  /**
   * Does the same for work that may as well be done another time: it waits for no other process and
   * frees no reserved space. Rejects with `DatabaseError` `E_DATABASE_BUSY` or `E_DISK_FULL`
   * instead.
   */
  transactionAtOnce<Result>(work: () => Steps<Result>): Promise<Result>;
  /** On PostgreSQL it resolves once the connections are closed. */
  close(): void | Promise<void>;
}

/** Says whether the database is a file. */
export function isFileDatabase(database: Database): database is FileDatabase {
  return database.dialect === "sqlite";
}

/** A SQLite file, which can also be used without waiting. */
export interface FileDatabase extends Database {
  readonly dialect: "sqlite";
  /**
   * Resolves once something new may be written. Rejects with `DatabaseError` where the disk stays
   * full, or the file locked, for too long.
   */
  ready(): Promise<void>;
  /** Runs steps and returns their result. */
  executeNow<Result>(steps: Steps<Result>): Result;
  /** Does what {@link Database.transaction} does, and returns the result. */
  transactNow<Result>(work: () => Steps<Result>): Result;
  close(): void;
}

/** The address of a store: its marketplace and its id there. */
export interface StoreAddress {
  readonly baseUrl: string;
  readonly storeId: string;
}

/** Returns the one form of a store's address, however it was typed. */
export function toStoreAddress({ baseUrl, storeId }: StoreAddress): StoreAddress {
  return { baseUrl: canonicalAddress(baseUrl), storeId: canonicalStoreId(storeId) };
}

/** Reads the number under which rows of a store are kept, and assigns one to a new store. */
export function* readStoreKey({ build, run, get }: Queries, address: StoreAddress): Steps<number> {
  const { baseUrl, storeId } = toStoreAddress(address);
  yield* run(
    build
      .insertInto("store")
      .values({ base_url: baseUrl, store_id: storeId })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const found = yield* get(
    build
      .selectFrom("store")
      .select("id")
      .where("base_url", "=", baseUrl)
      .where("store_id", "=", storeId),
  );
  if (found === undefined) throw new Error("a store that was just written cannot be read");
  return found.id;
}
