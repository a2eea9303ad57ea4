/**
 * Transactions of PostgreSQL. Those of one store exclude each other by an advisory lock, which ends
 * with the transaction, so that work reads and writes as if it were alone, as on SQLite. A
 * transaction that was certainly not committed is done again; of one whose connection was lost
 * during its commit the server is asked what became of it.
 */

import type { Clock } from "@catalog/clock";
import type { PoolClient, QueryResult } from "pg";

import { DatabaseError } from "../errors.ts";
import type { Patience } from "../patience.ts";
import type { Steps } from "../sql/steps.ts";
import { ask } from "./ask.ts";
import { isConflict, isLost, toCode } from "./postgres-errors.ts";

/** Runs steps on a connection. */
export type RunOn = <Result>(client: PoolClient, steps: Steps<Result>) => Promise<Result>;

export interface TransactOptions {
  readonly connect: () => Promise<PoolClient>;
  readonly runOn: RunOn;
  readonly clock: Pick<Clock, "sleep">;
  readonly patience: Patience;
  /** Reads whether the rows are still those that were opened; `undefined` where they are. */
  readonly readChange: (client: PoolClient) => Promise<DatabaseError | undefined>;
}

/** How a transaction is made. */
export interface TransactionKind {
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
  return (kind, work) => options.patience.outlast(() => transact(options, kind, work));
}

/** Rejects with an error of the connection only where nothing was committed. */
async function transact<Result>(
  options: TransactOptions,
  kind: TransactionKind,
  work: () => Steps<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryOnce(options, kind, work);
    } catch (error) {
      if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw error;
    }
    await options.clock.sleep(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)));
  }
}

async function tryOnce<Result>(
  options: TransactOptions,
  kind: TransactionKind,
  work: () => Steps<Result>,
): Promise<Result> {
  const client = await options.connect();
  const begun = begin(client, kind);
  const done = kind.runsAhead
    ? options.runOn(client, work())
    : begun.then(() => options.runOn(client, work()));
  let transaction: Begun;
  let result: Result;
  try {
    await Promise.allSettled([begun, done]);
    // A begin that failed makes all statements after it fail.
    transaction = await begun;
    result = await done;
  } catch (error) {
    await rollBack(client, error);
    throw error;
  }
  await commit(options, client, transaction);
  return result;
}

/** A transaction that has begun. */
interface Begun {
  readonly xid: string;
  /** A moment just after it got its id, in seconds since 1970 by the server's clock. */
  readonly atSeconds: string;
}

/** Begins the transaction; one message to the server makes all of it. */
async function begin(client: PoolClient, kind: TransactionKind): Promise<Begun> {
  const { isAtOnce = false } = kind;
  const found: unknown = await ask(client, {
    text: `BEGIN; SET LOCAL synchronous_commit TO on;
     SET LOCAL idle_in_transaction_session_timeout TO ${MAX_IDLE_MS}; ${toLock(kind)};
     SELECT pg_current_xact_id()::text AS xid,
       extract(epoch FROM pg_catalog.clock_timestamp())::text AS begun`,
  });
  const [, , , locked, named] = toResults(found);
  if (isAtOnce && locked?.rows[0]?.is_ours === 0) {
    throw new DatabaseError("E_DATABASE_BUSY", "PostgreSQL");
  }
  return { xid: String(named?.rows[0]?.xid), atSeconds: String(named?.rows[0]?.begun) };
}

function toLock({ store, isAtOnce = false }: TransactionKind): string {
  if (store === null) return "SELECT true AS is_ours";
  const take = isAtOnce ? "pg_try_advisory_xact_lock" : "pg_advisory_xact_lock";
  return `SELECT ${take}(${LOCK_CLASS}, ${store}) AS is_ours`;
}

interface Results extends Pick<QueryResult, "rowCount"> {
  readonly rows: readonly Readonly<Partial<Record<"is_ours" | "xid" | "begun", unknown>>>[];
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
async function commit(options: TransactOptions, client: PoolClient, begun: Begun): Promise<void> {
  try {
    await ask(client, { text: "COMMIT" });
    client.release();
  } catch (error) {
    client.release(true);
    if (!isLost(error) || !(await isCommitted(options, begun, error))) throw error;
  }
}

/** Asks the server what became of a transaction whose connection was lost during its commit. */
async function isCommitted(
  options: TransactOptions,
  begun: Begun,
  cause: unknown,
): Promise<boolean> {
  const { clock, patience } = options;
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
    let status: string | undefined;
    try {
      status = await patience.outlast(() => readStatus(options, begun));
    } catch (error) {
      throw isLost(error) ? new UnknownCommit("the commit is unknown", { cause }) : error;
    }
    if (status === "committed" || status === "aborted") return status === "committed";
    await clock.sleep(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)));
  }
  throw new UnknownCommit("the commit is unknown", { cause });
}

/**
 * A server that has crashed gives an id again that it had not written down, and the status would be
 * that of another transaction. Each crash ends with a checkpoint, which knows the ids that were
 * written: an id is ours where no checkpoint came since, or where the checkpoint knows it. Its time
 * is in whole seconds. In the same second, one that was made beside other work was after no crash, as
 * the one after a crash begins where its record is; that one came before the id unless the server was
 * started since. A later checkpoint of a server that was started since knows ids that were given again:
 * `NULL`, nothing is known.
 */
const IS_KNOWN = `(SELECT CASE
    WHEN extract(epoch FROM checkpoint_time) < floor($2::numeric) THEN 1
    WHEN next_id > $1::text::numeric THEN CASE WHEN is_restarted AND redo_lsn <> checkpoint_lsn
      THEN NULL ELSE 1 END
    WHEN extract(epoch FROM checkpoint_time) > floor($2::numeric) THEN 0
    WHEN redo_lsn <> checkpoint_lsn THEN 1
    WHEN is_restarted THEN 0
    ELSE 1 END
  FROM pg_control_checkpoint(),
    LATERAL (SELECT split_part(next_xid::text, ':', 1)::numeric * 4294967296
        + split_part(next_xid::text, ':', 2)::numeric AS next_id,
      extract(epoch FROM pg_postmaster_start_time()) > $2::numeric AS is_restarted) AS asked)`;

/** What the server says of an id that it has not given yet: it has lost the transaction. */
const UNKNOWN_ID = "22023";

/**
 * Rejects where a replica has taken over: it gives ids again that it had not received, so that the
 * status would be that of another transaction.
 */
async function readStatus(
  { connect, readChange }: Pick<TransactOptions, "connect" | "readChange">,
  { xid, atSeconds }: Begun,
): Promise<string | undefined> {
  const client = await connect();
  try {
    const change = await readChange(client);
    if (change !== undefined) throw change;
    const { rows } = await ask<{ status: string | null; is_known: 0 | 1 | null }>(client, {
      text: `SELECT pg_xact_status($1::text::xid8) AS status, ${IS_KNOWN} AS is_known`,
      values: [xid, atSeconds],
    });
    client.release();
    const [found] = rows;
    if (found?.is_known === 0) return "aborted";
    return found?.is_known === 1 ? (found.status ?? undefined) : undefined;
  } catch (error) {
    client.release(isLost(error));
    if (toCode(error) === UNKNOWN_ID) return "aborted";
    throw error;
  }
}
