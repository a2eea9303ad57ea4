/** Connections to a PostgreSQL server. */

import { Socket } from "node:net";

import { Client, Pool, type PoolClient } from "pg";

import { isLost, toServerError } from "./postgres-errors.ts";
import { valueTypes } from "./value-types.ts";

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
