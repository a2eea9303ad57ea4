/**
 * Transactions of PostgreSQL. Those of one store exclude each other by an advisory lock, which ends
 * with the transaction, so that work reads and writes as if it were alone, as on SQLite. A
 * transaction that was certainly not committed is done again; of one whose connection was lost
 * during its commit the server is asked what became of it.
 */

import type { Clock } from "@catalog/clock";
import type { PoolClient, QueryResult } from "pg";

import { DatabaseError } from "../errors.ts";
import type { Steps } from "../sql/steps.ts";
import { ask } from "./ask.ts";
import { isConflict, isLost } from "./postgres-errors.ts";

/** Runs steps on a connection. */
export type RunOn = <Result>(client: PoolClient, steps: Steps<Result>) => Promise<Result>;

export interface TransactOptions {
  readonly connect: () => Promise<PoolClient>;
  readonly runOn: RunOn;
  readonly clock: Pick<Clock, "sleep">;
}

/** How a transaction is made. */
export interface TransactionKind {
  /** Number of the store whose transactions exclude each other; `null` excludes none. */
  readonly store: number | null;
  /** Whether the commit waits for the disk. */
  readonly isSynced: boolean;
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

/** Attempts of a transaction that was not committed; together about half a minute. */
const MAX_ATTEMPTS = 9;
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 8_000;

/** Creates the function that commits all of `work` or nothing. */
export function createTransact(
  options: TransactOptions,
): <Result>(kind: TransactionKind, work: () => Steps<Result>) => Promise<Result> {
  return async (kind, work) => {
    for (let attempt = 1; ; attempt += 1) {
      const tried = await tryOnce(options, kind, work);
      if (tried.kind === "done") return tried.result;
      if (tried.kind === "failed" || attempt === MAX_ATTEMPTS) throw tried.error;
      await options.clock.sleep(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)));
    }
  };
}

type Tried<Result> =
  | { readonly kind: "done"; readonly result: Result }
  /** Certainly not committed, and worth another attempt. */
  | { readonly kind: "again"; readonly error: unknown }
  | { readonly kind: "failed"; readonly error: unknown };

async function tryOnce<Result>(
  options: TransactOptions,
  kind: TransactionKind,
  work: () => Steps<Result>,
): Promise<Tried<Result>> {
  let client: PoolClient;
  try {
    client = await options.connect();
  } catch (error) {
    return { kind: isLost(error) ? "again" : "failed", error };
  }
  const begun = begin(client, kind);
  const done = mayRunAhead(kind)
    ? options.runOn(client, work())
    : begun.then(() => options.runOn(client, work()));
  let xid: string;
  let result: Result;
  try {
    await Promise.allSettled([begun, done]);
    // A begin that failed makes all statements after it fail.
    xid = await begun;
    result = await done;
  } catch (error) {
    await rollBack(client, error);
    return { kind: isLost(error) || isConflict(error) ? "again" : "failed", error };
  }
  return await commit(options, { client, xid }, result);
}

/**
 * Whether the first statements leave together with the begin; the server takes them in their order,
 * once it has the lock. Work that is synced takes its moments, such as that of a claim, within the lock.
 */
const mayRunAhead = ({ isSynced, isAtOnce = false }: TransactionKind): boolean =>
  !isSynced && !isAtOnce;

/** Returns the id of the transaction. One message to the server makes all of it. */
async function begin(client: PoolClient, kind: TransactionKind): Promise<string> {
  const { isSynced, isAtOnce = false } = kind;
  const found: unknown = await ask(client, {
    text: `BEGIN; SET LOCAL synchronous_commit TO ${isSynced ? "on" : "off"};
     SET LOCAL idle_in_transaction_session_timeout TO ${MAX_IDLE_MS}; ${toLock(kind)};
     SELECT pg_current_xact_id()::text AS xid`,
  });
  const [, , , locked, named] = toResults(found);
  if (isAtOnce && locked?.rows[0]?.is_ours === 0) {
    throw new DatabaseError("E_DATABASE_BUSY", "PostgreSQL");
  }
  return String(named?.rows[0]?.xid);
}

function toLock({ store, isAtOnce = false }: TransactionKind): string {
  if (store === null) return "SELECT true AS is_ours";
  const take = isAtOnce ? "pg_try_advisory_xact_lock" : "pg_advisory_xact_lock";
  return `SELECT ${take}(${LOCK_CLASS}, ${store}) AS is_ours`;
}

interface Results extends Pick<QueryResult, "rowCount"> {
  readonly rows: readonly { readonly is_ours?: unknown; readonly xid?: unknown }[];
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

async function commit<Result>(
  options: TransactOptions,
  { client, xid }: { readonly client: PoolClient; readonly xid: string },
  result: Result,
): Promise<Tried<Result>> {
  try {
    await ask(client, { text: "COMMIT" });
    client.release();
    return { kind: "done", result };
  } catch (error) {
    client.release(true);
    if (!isLost(error)) return { kind: isConflict(error) ? "again" : "failed", error };
    const status = await readStatus(options, xid);
    if (status === "committed") return { kind: "done", result };
    return { kind: status === "aborted" ? "again" : "failed", error };
  }
}

/** Asks what became of a transaction until the server knows; `undefined` where it does not answer. */
async function readStatus(
  { connect, clock }: TransactOptions,
  xid: string,
): Promise<string | undefined> {
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
    try {
      const client = await connect();
      try {
        const { rows } = await ask<{ status: string | null }>(client, {
          text: "SELECT pg_xact_status($1::xid8) AS status",
          values: [xid],
        });
        const status = rows[0]?.status ?? undefined;
        if (status !== "in progress") return status;
      } finally {
        client.release();
      }
    } catch (error) {
      if (!isLost(error)) throw error;
    }
    await clock.sleep(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)));
  }
  return undefined;
}
