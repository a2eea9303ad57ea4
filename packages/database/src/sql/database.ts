/** What the journal and the repositories need of a database, whether SQLite or PostgreSQL. */

import type { CompiledQuery, Kysely } from "kysely";

import type { Schema } from "./schema.ts";
import type { Steps } from "./steps.ts";

export interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/** A placeholder for a value that is given later; typed as that value. */
export type Arg<Args> = <Name extends keyof Args & string>(name: Name) => Args[Name];

/** The first one is separate, for values that are the same in all rows. */
export type EachArg<Row> = readonly [Arg<Row>, ...Arg<Row>[]];

/** Queries as steps; they run nothing by themselves. */
export interface Queries {
  /** Builds queries; it runs none. */
  readonly build: Kysely<Schema>;
  readonly all: <Row>(query: Compilable<Row>) => Steps<Row[]>;
  readonly get: <Row>(query: Compilable<Row>) => Steps<Row | undefined>;
  /** Returns the number of changed rows. */
  readonly run: (query: Compilable<unknown>) => Steps<number>;
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
   * Does the same for many rows at a time: `build` gets one argument for each row of a statement.
   */
  readonly prepareEach: <Row extends object>(
    build: (rows: EachArg<Row>) => Compilable<unknown>,
  ) => (rows: readonly Row[]) => Steps<number>;
  /**
   * Runs steps in a savepoint: when they throw, their writes are undone and the rest of the
   * transaction stays. Only within a transaction.
   */
  readonly savepoint: <Result>(work: () => Steps<Result>) => Steps<Result>;
}

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
  /** Returns the number under which rows of a store are kept; see `readStoreKey`. */
  storeKey(address: { readonly baseUrl: string; readonly storeId: string }): number;
  /**
   * Throws `DatabaseError` `E_DATABASE_RESTORED` where the rows are not those that were opened any
   * more; within a transaction that begins requests. A file is looked at by each of its transactions.
   */
  readonly assertCurrent: () => Steps<void>;
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
