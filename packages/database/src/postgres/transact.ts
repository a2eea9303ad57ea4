/**
 * Transactions of PostgreSQL. Those of one store exclude each other by an advisory lock, which ends
 * with the transaction, so that work reads and writes as if it were alone, as on SQLite. A
 * transaction that was certainly not committed is done again. Each one leaves a mark in the row of its
 * connection, which is read back where the connection was lost during the commit.
 */

import type { Clock } from "@catalog/clock";
import type { PoolClient, QueryResult } from "pg";

import { DatabaseError, isConflict, isLocked, isLost } from "../errors.ts";
import type { Patience } from "../patience.ts";
import type { Steps } from "../sql/database.ts";
import { ask, type CommitMark, type NextMark, withClient } from "./pool.ts";

/** Runs steps on a connection. */
export type RunOn = <Result>(client: PoolClient, steps: Steps<Result>) => Promise<Result>;

interface TransactOptions {
  /** The statement that allows a transaction its rows. */
  readonly scope: string;
  readonly connect: () => Promise<PoolClient>;
  readonly runOn: RunOn;
  readonly nextMark: NextMark;
  readonly clock: Pick<Clock, "sleep">;
  readonly patience: Patience;
  /** Reads whether the rows are still those that were opened; `undefined` where they are. */
  readonly readChange: (client: PoolClient) => Promise<DatabaseError | undefined>;
}

/** How a transaction is made. */
interface TransactionKind {
  /** Number of the store whose transactions exclude each other; `null` excludes none. */
  readonly store: number | null;
  /**
   * Whether the first statements leave together with the begin; the server takes them in their
   * order, once it has the lock. Not for work that takes its moments, such as that of a claim.
   * @default false
   */
  readonly runsAhead?: boolean | undefined;
  /** Whether it gives up where another one is under way. @default it waits */
  readonly isAtOnce?: boolean | undefined;
}

/** First part of the keys of our advisory locks ("CATL"). */
export const LOCK_CLASS = 0x43_41_54_4c;

/**
 * The server ends a transaction whose process is suspended or whose machine is gone after this time,
 * in milliseconds, so that no other owner waits for its lock: sooner than a lease passes on.
 */
const MAX_IDLE_MS = 20_000;

/** Attempts of a transaction that another one was in the way of; together about half a minute. */
const MAX_ATTEMPTS = 9;
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 8_000;

/** A lost connection during a commit of which the server could not be asked: it may be made. */
export class UnknownCommit extends Error {
  override readonly name = "UnknownCommit";
}

/** Creates the function that commits all of `work` or nothing, and outlasts a server that is away. */
export function createTransact(
  options: TransactOptions,
): <Result>(kind: TransactionKind, work: () => Steps<Result>) => Promise<Result> {
  return (kind, work) =>
    options.patience.outlast(() => untilFree(options.clock, () => tryOnce(options, kind, work)));
}

/** Does work again that another transaction was in the way of. */
async function untilFree<Result>(
  clock: TransactOptions["clock"],
  work: () => Promise<Result>,
  isInTheWay: (error: unknown) => boolean = isConflict,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isInTheWay(error) || attempt === MAX_ATTEMPTS) throw error;
    }
    await clock.sleep(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)));
  }
}

/** Rejects with an error of the connection only where nothing was committed. */
async function tryOnce<Result>(
  options: TransactOptions,
  kind: TransactionKind,
  work: () => Steps<Result>,
): Promise<Result> {
  const client = await options.connect();
  const mark = options.nextMark(client);
  const begun = begin(client, { ...kind, scope: options.scope }, mark);
  const done = kind.runsAhead
    ? options.runOn(client, work())
    : begun.then(() => options.runOn(client, work()));
  let result: Result;
  try {
    await Promise.allSettled([begun, done]);
    // A begin that failed makes all statements after it fail.
    await begun;
    result = await done;
  } catch (error) {
    await rollBack(client, error);
    throw error;
  }
  await commit(options, client, mark);
  return result;
}

/** Begins the transaction; one message to the server makes all of it. */
async function begin(
  client: PoolClient,
  kind: TransactionKind & Pick<TransactOptions, "scope">,
  { connection, mark }: CommitMark,
): Promise<void> {
  const { isAtOnce = false, scope } = kind;
  const made = mark === 1 ? ask(client, { text: toRow(connection) }) : undefined;
  const begun: Promise<unknown> = ask(client, {
    text: `BEGIN; SET LOCAL synchronous_commit TO on;
     SET LOCAL idle_in_transaction_session_timeout TO ${MAX_IDLE_MS}; ${scope}; ${toLock(kind)};
     INSERT INTO commit_mark (connection, mark) VALUES ('${connection}', ${mark})
       ON CONFLICT (connection) DO UPDATE SET mark = excluded.mark, marked_at = excluded.marked_at`,
  });
  const [found] = await Promise.all([begun, made]);
  const [, , , , locked] = toResults(found);
  if (isAtOnce && locked?.rows[0]?.is_ours === 0) {
    throw new DatabaseError("E_DATABASE_BUSY", "PostgreSQL");
  }
}

function toLock({ store, isAtOnce = false }: TransactionKind): string {
  if (store === null) return "SELECT true AS is_ours";
  const take = isAtOnce ? "pg_try_advisory_xact_lock" : "pg_advisory_xact_lock";
  return `SELECT ${take}(${LOCK_CLASS}, ${store}) AS is_ours`;
}

interface Results extends Pick<QueryResult, "rowCount"> {
  readonly rows: readonly { readonly is_ours?: unknown }[];
}

function toResults(found: unknown): readonly (Results | undefined)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- several statements in one message give a list, which the types leave out
  return found as readonly Results[];
}

/** Ends a transaction that is not to be committed; a connection that does not answer is closed. */
async function rollBack(client: PoolClient, cause: unknown): Promise<void> {
  if (isLost(cause)) {
    client.release(true);
    return;
  }
  try {
    await ask(client, { text: "ROLLBACK" });
    client.release();
  } catch {
    client.release(true);
  }
}

/** Rejects with an error of the connection only where the transaction was not committed. */
async function commit(
  options: TransactOptions,
  client: PoolClient,
  mark: CommitMark,
): Promise<void> {
  try {
    await ask(client, { text: "COMMIT" });
    client.release();
  } catch (error) {
    client.release(true);
    if (!isLost(error) || !(await isCommitted(options, mark, error))) throw error;
  }
}

/** Says whether a transaction was committed whose connection was lost meanwhile. */
async function isCommitted(
  { clock, patience, connect, readChange }: TransactOptions,
  mark: CommitMark,
  cause: unknown,
): Promise<boolean> {
  const read = (): Promise<boolean> =>
    withClient({ connect }, (client) => isMarked(client, mark, readChange));
  try {
    return await patience.outlast(() => untilFree(clock, read, isLocked));
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new UnknownCommit("the commit is unknown", { cause: new AggregateError([cause, error]) });
  }
}

/**
 * Writes to the row, and so waits for a transaction that the server has not ended yet. Rejects where
 * a replica has taken over, whose rows may be older than what led to the transaction, and where the row
 * is gone: nothing is known then.
 */
async function isMarked(
  client: PoolClient,
  { connection, mark }: CommitMark,
  readChange: TransactOptions["readChange"],
): Promise<boolean> {
  const change = await readChange(client);
  if (change !== undefined) throw change;
  const { rows } = await ask<{ mark: number }>(client, {
    text: `INSERT INTO commit_mark (connection, mark) VALUES ($1, ${NO_ROW})
      ON CONFLICT (connection) DO UPDATE SET connection = excluded.connection RETURNING mark`,
    values: [connection],
  });
  if (rows[0]?.mark === NO_ROW) throw new Error("the mark of the connection is gone");
  return rows[0]?.mark === mark;
}

const NO_ROW = -1;

/**
 * Makes the row of a connection, before and apart from its first transaction, and removes those that
 * were last written an hour ago: what became of a transaction is asked for within minutes.
 */
const toRow = (connection: string): string =>
  `DELETE FROM commit_mark WHERE connection IN (SELECT connection FROM commit_mark
     WHERE marked_at < now() - interval '1 hour' FOR UPDATE SKIP LOCKED);
   INSERT INTO commit_mark (connection, mark) VALUES ('${connection}', 0)`;
