/**
 * Outcomes of requests. Those that become known in the same turn of the event loop share one
 * commit; each promise settles when its own outcome is written.
 */

import type { AttemptedRow, RowState, RowOutcome } from "@catalog/runs";

import type { Database } from "../sql/database.ts";
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

/** Creates the writer; `write` writes one outcome within a transaction. */
export function createOutcomes(
  database: Database,
  write: (outcome: PendingOutcome) => Steps<void>,
): RecordOutcome {
  let waiting: readonly WaitingOutcome[] = [];

  const writeAll = async (): Promise<void> => {
    const group = waiting;
    waiting = [];
    try {
      // A power cut that loses an outcome leaves its row `sending`, which is looked up; the next
      // start of a request, or the end of the run, syncs the outcome.
      const written = await database.transactionUnsynced(() =>
        inSavepoints(database, group, ({ outcome }) => write(outcome)),
      );
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = written[index];
        if (result?.status === "fulfilled") resolve();
        else reject(result?.reason);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
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
