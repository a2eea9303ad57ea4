/**
 * Connections to a PostgreSQL server, and the statements sent on them. Values arrive as SQLite gives
 * them.
 */

import { randomUUID } from "node:crypto";
import { Socket } from "node:net";

import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import {
  Client,
  type ClientBase,
  Pool,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
  types,
} from "pg";

import { isLost, toServerError } from "../errors.ts";
import {
  awaitSteps,
  type SqlValue,
  type Statement,
  type StatementResult,
} from "../sql/database.ts";
import { NoDriver, toStoredText } from "../sql/queries.ts";
import type { Schema } from "../sql/schema.ts";
import type { RunOn } from "./transact.ts";

const INT8 = 20;
const NUMERIC = 1700;
const BOOLEAN = 16;

const parseInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is no safe integer`);
  return value;
};

const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<
  number,
  (text: string) => unknown
>([
  [INT8, parseInteger],
  // Sums of integers.
  [NUMERIC, Number],
  // Conditions are 0 and 1 in SQLite.
  [BOOLEAN, (text) => (text === "t" ? 1 : 0)],
]);

/** Parsers of one pool; those of other users of the driver in this process stay as they are. */
const valueTypes: Pick<typeof types, "getTypeParser"> = {
  getTypeParser: (...[type, format]: Parameters<typeof types.getTypeParser>) =>
    (format ?? "text") === "text"
      ? (parsers.get(type) ?? types.getTypeParser(type, format))
      : types.getTypeParser(type, format),
};

/** The value as PostgreSQL can store it. */
export const toStored = (value: SqlValue): SqlValue =>
  typeof value === "string" ? toStoredText(value) : value;

const DEFAULT_CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 10_000;
/** Far longer than any statement takes; a network that swallows everything gives no error. */
const MAX_SILENCE_MS = 120_000;

export interface PoolOptions {
  /** `postgres://user:password@host:port/database`; parameters as libpq has them. */
  readonly url: string;
  /** Name of the command, which the server lists. @default `catalog` */
  readonly command?: string | undefined;
  /** Connections at a time. @default 4 */
  readonly maxConnections?: number | undefined;
  /** Time without a byte after which a connection counts as lost, in milliseconds. @default 120000 */
  readonly maxSilenceMs?: number | undefined;
  /** Whether values are read as the driver reads them, for a library that expects it. @default false */
  readonly isForLibrary?: boolean | undefined;
}

/** Makes a pool whose values are read as SQLite gives them. */
export function openPool({
  url,
  command = "catalog",
  maxConnections = DEFAULT_CONNECTIONS,
  maxSilenceMs = MAX_SILENCE_MS,
  isForLibrary = false,
}: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    application_name: command,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    stream: () => new TurnSocket(maxSilenceMs),
    // Statements that do not depend on each other are sent without waiting for the answers.
    ...(!isForLibrary && { pipeline: true, types: valueTypes }),
    Client: EndingClient,
  });
  // A connection that ends while nobody uses it is replaced by the next one.
  pool.on("error", () => undefined);
  // One that ends between two statements of its user would end the process; the next statement tells.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/**
 * Writes what statements of one turn of the event loop have to say with one call of the system; the
 * driver corks and uncorks for each statement. A silent connection is ended, with all its statements.
 */
class TurnSocket extends Socket {
  constructor(maxSilenceMs: number) {
    super();
    this.setTimeout(maxSilenceMs, () => {
      const error = new Error(`the server has said nothing for ${maxSilenceMs} ms`);
      this.destroy(Object.assign(error, { code: "ETIMEDOUT" }));
    });
  }

  override uncork(): void {
    process.nextTick(() => super.uncork());
  }
}

/**
 * Ends its connection where it cannot log in. The driver leaves it open where the server asks for a
 * password and none is given, and the process would live until the server ends it a minute later.
 */
class EndingClient extends Client {
  override connect(): Promise<Client>;
  override connect(callback: (error: Error | null) => void): void;
  override connect(callback?: (error: Error | null) => void): Promise<Client> | undefined {
    if (callback === undefined) return super.connect();
    super.connect((error: Error | null) => {
      if (error instanceof Error) this.end(() => undefined);
      callback(error);
    });
    return undefined;
  }
}

/** Returns the address without its password. */
export function describeAddress(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url);
    return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
  } catch {
    return "CATALOG_DATABASE_URL";
  }
}

/**
 * Runs work of an administrator on a connection of its own. Rejects with `DatabaseError` where the
 * server cannot be used.
 */
export async function administer<Result>(
  options: Pick<PoolOptions, "url" | "command">,
  work: (client: PoolClient, address: string) => Promise<Result>,
): Promise<Result> {
  const pool = openPool({ ...options, maxConnections: 1 });
  const address = describeAddress(options.url);
  try {
    return await withClient(pool, (client) => work(client, address));
  } catch (error) {
    throw toServerError(error, address);
  } finally {
    await pool.end();
  }
}

/** Commits all of the work or nothing. */
export async function commitAll<Result>(
  client: Pick<PoolClient, "query">,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query("BEGIN");
  try {
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

export async function withClient<Result>(
  pool: Pick<Pool, "connect">,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(isLost(error));
    throw error;
  }
}

/**
 * Returns the answer to a statement; rejects with the error of the server or of the connection. It
 * is given to the driver as a callback: with the driver's own promise, or its time limit, V8 keeps
 * the values and the rows of each statement until a full collection, which made a plan a tenth slower.
 */
export async function ask<Row extends object>(
  client: Pick<ClientBase, "query">,
  query: QueryConfig,
): Promise<QueryResult<Row>> {
  const { promise, resolve, reject } = Promise.withResolvers<QueryResult<Row>>();
  client.query<Row>(query, (error: Error | null, result) => {
    if (error === null) resolve(result);
    else reject(error);
  });
  return await promise;
}

/** A statement that was run this often gets a name, under which each connection keeps its plan. */
const RUNS_BEFORE_NAME = 5;

/** Most statements that have names; their texts are few by design. */
const MAX_NAMES = 500;

export function createRunOn(): RunOn {
  const runs = new Map<string, number>();
  const names = new Map<string, string>();
  const nameOf = (sql: string): string | undefined => {
    const known = names.get(sql);
    if (known !== undefined || names.size === MAX_NAMES) return known;
    const count = (runs.get(sql) ?? 0) + 1;
    runs.set(sql, count);
    if (count < RUNS_BEFORE_NAME) return undefined;
    runs.delete(sql);
    const name = `c${names.size}`;
    names.set(sql, name);
    return name;
  };
  return (client, steps) =>
    awaitSteps(steps, async ({ sql, values, want }: Statement): Promise<StatementResult> => {
      const name = nameOf(sql);
      const query = { text: sql, values: values.map(toStored) };
      const { rows, rowCount } = await ask(client, name === undefined ? query : { ...query, name });
      return want === "rows" ? rows : (rowCount ?? 0);
    });
}

export function createPostgresBuilder(): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new NoDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

/** What a transaction leaves in the row of its connection; the first one has the mark 1. */
export interface CommitMark {
  readonly connection: string;
  readonly mark: number;
}

/** Returns the mark of the next transaction of a connection. */
export type NextMark = (client: PoolClient) => CommitMark;

function createMarks(): NextMark {
  const last = new WeakMap<PoolClient, CommitMark>();
  return (client) => {
    const { connection, mark } = last.get(client) ?? { connection: randomUUID(), mark: 0 };
    const next = { connection, mark: mark + 1 };
    last.set(client, next);
    return next;
  };
}

/** The connections, and what runs on them: a name of a statement means one text on all of them. */
export interface SharedPool {
  readonly pool: Pool;
  readonly runOn: RunOn;
  readonly nextMark: NextMark;
  /** Gives the connections back; the last user closes them. May be called again. */
  release(): Promise<void>;
}

/** What users of this process share, by names. */
export type Sharing<Value> = Map<string, { readonly value: Value; users: number }>;

interface SharedResource<Value> {
  readonly open: () => Value;
  readonly close: (value: Value) => Promise<unknown>;
}

/** Returns what the users of a name share; the last of them ends it. */
export function share<Value>(
  known: Sharing<Value>,
  name: string,
  { open, close }: SharedResource<Value>,
): { readonly value: Value; readonly release: () => Promise<void> } {
  const shared = known.get(name) ?? { value: open(), users: 0 };
  known.set(name, shared);
  shared.users += 1;
  let isReleased = false;
  return {
    value: shared.value,
    async release() {
      if (isReleased) return;
      isReleased = true;
      shared.users -= 1;
      if (shared.users > 0) return;
      known.delete(name);
      await close(shared.value);
    },
  };
}

const pools: Sharing<Omit<SharedPool, "release">> = new Map();

/**
 * Returns the connections to a database, which all who name it in the same way share: a worker for a
 * thousand stores asks each of them every few seconds, and a connection for each would be more than a
 * server allows.
 */
export function sharePool(options: PoolOptions): SharedPool {
  const { url, command, maxConnections } = options;
  const key = JSON.stringify([url, command, maxConnections]);
  const { value, release } = share(pools, key, {
    open: () => ({ pool: openPool(options), runOn: createRunOn(), nextMark: createMarks() }),
    close: ({ pool }) => pool.end(),
  });
  return { ...value, release };
}
