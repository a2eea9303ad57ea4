/** A PostgreSQL database for one store, with the interface that SQLite's file has. */

import type { Clock } from "@catalog/clock";
import type { Pool, PoolClient } from "pg";

import { DatabaseError, isAway, toLaterError, toServerError } from "../errors.ts";
import { SERVER_MS } from "../locks/leases.ts";
import { createPatience, type DatabaseWait, type Patience } from "../patience.ts";
import {
  awaitSteps,
  type Database,
  onlyReads,
  type Queries,
  readStoreKey,
  type Statement,
  type StatementResult,
  type Steps,
  type StoreAddress,
  toStoreAddress,
} from "../sql/database.ts";
import { createQueries } from "../sql/queries.ts";
import { type RowScope, toScopeStatement } from "../sql/row-security.ts";
import {
  assertMigrated,
  checkPostgres,
  readPostgresSizes,
  readSeparation,
} from "./administration.ts";
import {
  ask,
  commitAll,
  createPostgresBuilder,
  describeAddress,
  type PoolOptions,
  type SharedPool,
  sharePool,
  withClient,
} from "./pool.ts";
import { type RestoreWatch, watchForRestore } from "./restored-server.ts";
import { createTransact, type RunOn, UnknownCommit } from "./transact.ts";

/** The database and the store. */
interface PostgresOptions extends PoolOptions {
  /** How work waits for a server that is away. @default 30 seconds */
  readonly wait?: DatabaseWait | undefined;
  readonly clock: Clock;
  /**
   * The store whose rows are seen, and whose transactions exclude each other. @default the database is
   * opened for the people of the server
   */
  readonly store?: StoreAddress | undefined;
  /** Folder in which this machine remembers what it has sent. @default it remembers nothing */
  readonly home?: string | undefined;
}

/** How long work waits for a server that is away, in milliseconds, unless the caller says otherwise. */
const WAIT_MS = 30_000;

/**
 * Connects to a database whose tables exist. Rejects with `DatabaseError`: `E_DATABASE_SERVER` where
 * the server cannot be used, `E_DATABASE_LOGIN` where it does not let the user in, `E_DATABASE_RIGHTS`
 * where the user may not read the tables, `E_DATABASE_VERSION` where the tables are missing, older or newer.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const address = describeAddress(options.url);
  const patience = createPatience(
    { maxMs: WAIT_MS, ...options.wait, clock: options.clock },
    isAway,
  );
  const shared = sharePool(options);
  const { pool, runOn } = shared;
  const { store } = options;
  const queries = createQueries(createPostgresBuilder());
  try {
    const open = (): Promise<Pick<Opened, "key" | "watch">> =>
      withClient(pool, async (client) => {
        await assertMigrated(client, address);
        return {
          key:
            store === undefined
              ? null
              : await readKey(client, () => runOn(client, readStoreKey(queries, store))),
          watch: await watchForRestore(client, { address, queries, home: options.home }),
        };
      });
    const { key, watch } = await patience.outlast(open);
    const opened = { ...options, address, shared, patience, queries, key, watch };
    return createPostgres({
      ...opened,
      scope: key === null ? { crossing: "team" } : { store: key },
    });
  } catch (error) {
    await shared.release();
    throw toServerError(error, address);
  }
}

async function readKey(client: PoolClient, read: () => Promise<number>): Promise<number> {
  return await commitAll(client, async () => {
    await client.query(toScopeStatement({ crossing: "stores" }));
    return await read();
  });
}

interface Opened extends PostgresOptions {
  readonly address: string;
  readonly shared: SharedPool;
  readonly patience: Patience;
  readonly queries: Queries;
  /** Number of the store; `null` without one. */
  readonly key: number | null;
  readonly scope: RowScope;
  readonly watch: RestoreWatch;
}

function createPostgres(options: Opened): Database {
  const { address, shared, patience, queries, key, clock, store } = options;
  const { pool, runOn, nextMark } = shared;
  const { isRestored, assertCurrent, noteSent, readChange } = options.watch;
  const named = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      const known =
        error instanceof UnknownCommit
          ? new DatabaseError("E_DATABASE_AWAY", error.message, { cause: error })
          : toLaterError(toServerError(error, address));
      // Work that does not fit the rows, such as an outcome of a request that they do not know.
      if (known instanceof DatabaseError) throw known;
      throw (await findChange(pool, readChange)) ?? known;
    }
  };
  const connect = (): Promise<PoolClient> => pool.connect();
  const scope = toScopeStatement(options.scope);
  const transact = createTransact({ connect, runOn, nextMark, clock, patience, readChange, scope });
  const own = store && toStoreAddress(store);
  // A statement that reads may be made again; of one that writes the server is asked whether it was.
  const statement = (one: Statement): Promise<StatementResult> =>
    onlyReads(one)
      ? patience.outlast(() =>
          withClient(pool, (client) => readAlone(client, { scope, runOn }, one)),
        )
      : transact({ store: null, runsAhead: true }, () => yieldOne(one));
  const database: Database = {
    dialect: "postgres",
    path: address,
    isRestored,
    storeKey(asked) {
      const { baseUrl, storeId } = toStoreAddress(asked);
      const isOwn = baseUrl === own?.baseUrl && storeId === own.storeId;
      if (isOwn && key !== null) return key;
      throw new Error("the database was opened for another store");
    },
    forStore: (other) =>
      other === key
        ? database
        : createPostgres({ ...options, key: other, scope: { store: other } }),
    across: (crossing) => createPostgres({ ...options, scope: { crossing } }),
    assertCurrent,
    noteSent,
    assertDiskSpace: () => undefined,
    ...queries,
    execute: (steps) => named(() => awaitSteps(steps, inTurn(statement))),
    transaction: (work) => named(() => transact({ store: key }, work)),
    // A server that crashes loses what it did not sync, while this process lives on and believes it
    // written. So all is synced here.
    transactionUnsynced: (work) => named(() => transact({ store: key, runsAhead: true }, work)),
    transactionAtOnce: (work) => named(() => transact({ store: key, isAtOnce: true }, work)),
    snapshot: (work) =>
      named(() =>
        patience.outlast(() =>
          withClient(pool, async (client) => {
            await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${scope}`);
            try {
              return await runOn(client, work());
            } finally {
              await client.query("ROLLBACK");
            }
          }),
        ),
      ),
    check: () => checkPostgres(database),
    readSeparation: () => readSeparation(database),
    readSizes: () => readPostgresSizes(database.across("sizes")),
    compact: async () => ({ kind: "nothing" }),
    close: () => shared.release(),
    [Symbol.dispose]() {
      shared.release().catch(() => undefined);
    },
  };
  return database;
}

/**
 * Runs a statement that reads, in a transaction of its own that allows it its rows: an allowance for
 * the connection would pass, through a pooler, to whoever uses it next. All of it is one message.
 */
async function readAlone(
  client: PoolClient,
  { scope, runOn }: { readonly scope: string; readonly runOn: RunOn },
  one: Statement,
): Promise<StatementResult> {
  const begun = ask(client, { text: `BEGIN; ${scope}` });
  const read = runOn(client, yieldOne(one));
  const ended = ask(client, { text: "COMMIT" });
  await Promise.allSettled([begun, read, ended]);
  await begun;
  const result = await read;
  await ended;
  return result;
}

/**
 * Runs statements one after the other: each waits by itself for a server that is away, and those
 * that may run together would wait side by side.
 */
function inTurn(
  run: (statement: Statement) => Promise<StatementResult>,
): (statement: Statement) => Promise<StatementResult> {
  let last: Promise<unknown> = Promise.resolve();
  return (one) => {
    const next = last.then(() => run(one));
    last = next.catch(() => undefined);
    return next;
  };
}

function* yieldOne(statement: Statement): Steps<StatementResult> {
  return yield statement;
}

/** Finds out whether the rows are certainly not those that were opened. */
async function findChange(
  pool: Pool,
  readChange: RestoreWatch["readChange"],
): Promise<DatabaseError | undefined> {
  try {
    return await withClient(pool, readChange);
  } catch {
    // Nothing is known, and the first error is reported.
    return undefined;
  }
}

interface ServerClockOptions {
  readonly database: Database;
  /** Waits; its time is not used. */
  readonly clock: Pick<Clock, "sleep">;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicMs: () => number;
}

/** After this time the server is asked again, as the clocks of two machines go at different rates. */
const REREAD_MS = 60_000;

/** Reads the server's time, and counts on from it by the monotonic clock of this machine. */
export async function openServerClock(options: ServerClockOptions): Promise<Clock> {
  const { clock, monotonicMs } = options;
  let { serverMs, atMs } = await readTime(options);
  let isReading = false;
  const readAgain = async (): Promise<void> => {
    isReading = true;
    try {
      ({ serverMs, atMs } = await readTime(options));
    } catch {
      // The old reading is right but for the drift; it is asked again with the next question.
    }
    isReading = false;
  };
  return {
    now() {
      const elapsedMs = monotonicMs() - atMs;
      if (elapsedMs > REREAD_MS && !isReading) void readAgain();
      return Math.round(serverMs + elapsedMs);
    },
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}

interface ServerTime {
  readonly serverMs: number;
  /** When it was so, by the monotonic clock. */
  readonly atMs: number;
}

async function readTime({ database, monotonicMs }: ServerClockOptions): Promise<ServerTime> {
  const askedMs = monotonicMs();
  const query = database.build.selectNoFrom(SERVER_MS.as("ms"));
  const found = await database.execute(database.get(query));
  if (found === undefined) throw new Error("the server returned no time");
  return { serverMs: found.ms, atMs: (askedMs + monotonicMs()) / 2 };
}
