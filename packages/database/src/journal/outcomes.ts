/**
 * Outcomes of requests. Those that become known in the same turn of the event loop share one
 * commit; each promise settles when its own outcome is written.
 */

import type { AttemptedRow, RowState, RowOutcome } from "@catalog/runs";

import { DatabaseError } from "../errors.ts";
import type { LeasedDatabase } from "../locks/leased-database.ts";
import { inSavepoints } from "../sql/savepoints.ts";
import type { Steps } from "../sql/steps.ts";

/** The outcome of a row that was being sent. */
export interface PendingOutcome {
  readonly key: AttemptedRow & { readonly from: RowState };
  readonly outcome: RowOutcome;
}

/** Resolves once the outcome is written; rejects with the error that prevented it. */
export type RecordOutcome = (outcome: PendingOutcome) => Promise<void>;

interface WaitingOutcome {
  readonly outcome: PendingOutcome;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** How one outcome is written within a transaction. */
export interface OutcomeWrites {
  readonly write: (outcome: PendingOutcome) => Steps<void>;
  /** Uses the outcome of a request whose sender has lost its lease; returns whether it could. */
  readonly useLate: (outcome: PendingOutcome) => Steps<boolean>;
}

/** Creates the writer of outcomes. */
export function createOutcomes(
  database: LeasedDatabase,
  { write, useLate }: OutcomeWrites,
): RecordOutcome {
  let waiting: readonly WaitingOutcome[] = [];

  const writeGroup = function* writeGroup(group: readonly WaitingOutcome[]) {
    const written = yield* inSavepoints(database, group, ({ outcome }) => write(outcome));
    // A row that is not as it was sent may be that of an older copy.
    if (written.some(({ status }) => status === "rejected")) yield* database.assertCurrent();
    return written;
  };
  const writeAll = async (): Promise<void> => {
    const group = waiting;
    waiting = [];
    try {
      // A power cut that loses an outcome leaves its row `sending`, which is looked up; the next
      // start of a request, or the end of the run, syncs the outcome.
      const written = await database.transactionUnsynced(() => writeGroup(group));
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = written[index];
        if (result?.status === "fulfilled") resolve();
        else reject(result?.reason);
      }
    } catch (error) {
      const isLost = error instanceof DatabaseError && error.code === "E_LEASE_LOST";
      const late = isLost ? await settleLate(database, group, useLate) : [];
      for (const [index, { resolve, reject }] of group.entries()) {
        if (late[index] === true) resolve();
        else reject(error);
      }
    }
  };

  return (outcome) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // `setImmediate` runs after all answers that have already come in.
    if (waiting.length === 0) setImmediate(() => void writeAll());
    waiting = [...waiting, { outcome, resolve, reject }];
    return promise;
  };
}

/** Says of each outcome whether it could be used although the lease is lost. */
async function settleLate(
  { unleased }: LeasedDatabase,
  group: readonly WaitingOutcome[],
  useLate: OutcomeWrites["useLate"],
): Promise<readonly boolean[]> {
  try {
    const used = await unleased.transactionUnsynced(() =>
      inSavepoints(unleased, group, ({ outcome }) => useLate(outcome)),
    );
    return used.map((result) => result.status === "fulfilled" && result.value);
  } catch {
    // The first error is reported: the new owner looks the rows up.
    return [];
  }
}
