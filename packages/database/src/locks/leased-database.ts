/**
 * A database whose every write compares the epochs of the leases that this process has taken, in the
 * transaction of the write. A process that was suspended, or cut off, for so long that another one
 * has taken over thus writes nothing any more. Code that writes what belongs to an owner takes a
 * {@link LeasedDatabase}, so that a plain database does not compile there.
 */

import type { Database } from "../sql/database.ts";
import { onlyReads, type Statement, type Steps, together, type Together } from "../sql/steps.ts";
import type { Leases } from "./leases.ts";

/** Kinds of leases; the kind of a lease is the first word of its name. */
type LeaseKind = "store" | "feed" | "schedule";

/** The leases under which runs are planned and sent. */
const RUN_LEASES: readonly LeaseKind[] = ["store", "feed"];

/** A database that rejects with `DatabaseError` `E_LEASE_LOST` where another process has taken over. */
export interface LeasedDatabase extends Database {
  /**
   * The same database without the comparison, for the answer to a request that left while the lease
   * was held: it is true whoever owns the store now.
   */
  readonly unleased: Database;
}

export interface LeasedDatabaseOptions {
  readonly database: Database;
  /** The leases of this process; without them, as where the database is a file, nothing is compared. */
  readonly leases?: Pick<Leases, "assertHeld"> | undefined;
}

/** Compares the leases of the kinds at each write; those that this process never took say nothing. */
export function createLeasedDatabase(
  { database, leases }: LeasedDatabaseOptions,
  kinds: readonly LeaseKind[] = RUN_LEASES,
): LeasedDatabase {
  if (leases === undefined) return { ...database, unleased: database };
  const leased = <Result>(work: () => Steps<Result>): (() => Steps<Result>) =>
    function* writeLeased() {
      const [held, written] = yield* together([settle(leases.assertHeld(kinds)), settle(work())]);
      // What the work failed of may be what the new owner has written.
      if (held.status === "rejected") throw held.reason;
      if (written.status === "rejected") throw written.reason;
      return written.value;
    };
  return {
    ...database,
    unleased: database,
    execute: (steps) => database.execute(assertReads(steps)),
    transaction: (work) => database.transaction(leased(work)),
    transactionUnsynced: (work) => database.transactionUnsynced(leased(work)),
    transactionAtOnce: (work) => database.transactionAtOnce(leased(work)),
  };
}

type Settled<Result> =
  | { readonly status: "fulfilled"; readonly value: Result }
  | { readonly status: "rejected"; readonly reason: unknown };

function* settle<Result>(steps: Steps<Result>): Steps<Settled<Result>> {
  try {
    return { status: "fulfilled", value: yield* steps };
  } catch (reason) {
    return { status: "rejected", reason };
  }
}

/** Throws at a statement that writes, as the lease can be compared only within a transaction. */
function* assertReads<Result>(steps: Steps<Result>): Steps<Result> {
  let turn = steps.next();
  while (turn.done !== true) {
    try {
      turn = steps.next(yield assertRead(turn.value));
    } catch (error) {
      turn = steps.throw(error);
    }
  }
  return turn.value;
}

function assertRead(value: Statement | Together): Statement | Together {
  if ("works" in value) return { works: value.works.map(assertReads) };
  if (onlyReads(value)) return value;
  throw new Error(`a write under a lease needs a transaction: ${value.sql}`);
}
