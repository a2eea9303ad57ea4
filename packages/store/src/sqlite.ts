/**
 * One SQLite file, opened so that a commit survives a power cut. Kysely builds the queries; they
 * run synchronously, so a transaction can never be interleaved with another caller's statements.
 */

import { chmodSync, existsSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

import {
  type CompiledQuery,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from "kysely";
import { Migrator } from "kysely/migration";

import { StoreError } from "./errors.ts";
import { MIGRATIONS } from "./migrations.ts";
import { type Schema } from "./schema.ts";

export interface Database extends Disposable {
  readonly path: string;
  /** Builds queries; nothing runs through it. */
  readonly build: Kysely<Schema>;
  all<Row>(query: Compilable<Row>): Row[];
  get<Row>(query: Compilable<Row>): Row | undefined;
  run(query: Compilable<unknown>): number;
  /** Compiles a query once, for paths that run it for every row. */
  prepare<Args extends object>(
    build: (arg: Arg<Args>) => Compilable<unknown>,
  ): (args: Args) => number;
  /** All of it or nothing. `work` must not wait for anything. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
}

export interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/** Stands for a value that comes later; typed as that value. */
export type Arg<Args> = <Name extends keyof Args & string>(name: Name) => Args[Name];

const BUSY_TIMEOUT_MS = 5_000;

/** Opens the file, makes it when it is missing, and brings its tables up to date. */
export async function openDatabase(path: string): Promise<Database> {
  const sqlite = openFile(path);
  try {
    await migrate(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return createDatabase(path, sqlite);
}

function openFile(path: string): DatabaseSync {
  const isNew = !existsSync(path);
  try {
    const sqlite = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    // Holds tokens and customers' catalogs: for its owner only.
    if (isNew && path !== ":memory:") chmodSync(path, 0o600);
    sqlite.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;");
    return sqlite;
  } catch (error) {
    throw new StoreError("E_DATABASE", path, { cause: error });
  }
}

async function migrate(sqlite: DatabaseSync): Promise<void> {
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: toKyselyDatabase(sqlite) }),
  });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new StoreError("E_DATABASE", "migration", { cause: error });
}

/** The few methods of another driver that Kysely's SQLite dialect calls. */
function toKyselyDatabase(sqlite: DatabaseSync): SqliteDatabase {
  return {
    close: () => undefined,
    prepare(sql): SqliteStatement {
      const statement = sqlite.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...parameters.map(toInput)),
        run: (parameters) => statement.run(...parameters.map(toInput)),
        iterate: (parameters) => statement.iterate(...parameters.map(toInput)),
      };
    },
  };
}

function createDatabase(path: string, sqlite: DatabaseSync): Database {
  const build = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: toKyselyDatabase(sqlite) }),
  });
  const statements = new Map<string, StatementSync>();
  const statementOf = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = sqlite.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const all = <Row>(query: Compilable<Row>): Row[] => {
    const { sql, parameters } = query.compile();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the builder knows its columns
    return statementOf(sql).all(...parameters.map(toInput)) as Row[];
  };
  const close = (): void => {
    if (sqlite.isOpen) sqlite.close();
  };

  return {
    path,
    build,
    all,
    get: (query) => all(query)[0],
    run(query) {
      const { sql, parameters } = query.compile();
      return Number(statementOf(sql).run(...parameters.map(toInput)).changes);
    },
    prepare: (make) => prepare(make, statementOf),
    transaction(work) {
      sqlite.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        sqlite.exec("COMMIT");
        return result;
      } catch (error) {
        // A failed commit may have rolled back by itself.
        if (sqlite.isTransaction) sqlite.exec("ROLLBACK");
        throw error;
      }
    },
    close,
    [Symbol.dispose]: close,
  };
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

function prepare<Args extends object>(
  make: (arg: Arg<Args>) => Compilable<unknown>,
  statementOf: (sql: string) => StatementSync,
): (args: Args) => number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it stands for the later value
  const arg = ((name: string) => new Placeholder(name)) as unknown as Arg<Args>;
  const { sql, parameters } = make(arg).compile();
  const fixed = parameters.map((value) => (value instanceof Placeholder ? value : toInput(value)));
  return (args) => {
    const values = new Map<string, unknown>(Object.entries(args));
    const input = fixed.map((value) =>
      value instanceof Placeholder ? toInput(values.get(value.name)) : value,
    );
    return Number(statementOf(sql).run(...input).changes);
  };
}

/** The kinds of value that we store; anything else is a mistake of ours. */
function toInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new TypeError(`cannot store a value of type ${typeof value}`);
}
