/**
 * Outcomes of requests. Those that become known in the same turn of the event loop share one
 * commit; each promise settles when its own outcome is written.
 */

import { type Attempted, type RowState, type Settlement } from "@catalog/runs";

import { partByPart } from "../sqlite/savepoints.ts";
import { type Database } from "../sqlite/sqlite.ts";

/** The outcome of a row that was being sent. */
export interface Outcome {
  readonly key: Attempted & { readonly from: RowState };
  readonly settlement: Settlement;
}

/** Resolves once the outcome is written; rejects with the error that prevented it. */
export type SettleOutcome = (outcome: Outcome) => Promise<void>;

interface Waiting {
  readonly outcome: Outcome;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Creates the writer; `write` writes one outcome within a transaction. */
export function createOutcomes(
  database: Database,
  write: (outcome: Outcome) => void,
): SettleOutcome {
  let waiting: readonly Waiting[] = [];

  const writeAll = (): void => {
    const group = waiting;
    waiting = [];
    try {
      // A power cut that loses an outcome leaves its row `sending`, which is looked up; the next
      // start of a request, or the end of the run, syncs the outcome.
      const written = database.transactionUnsynced(() =>
        partByPart(database, group, ({ outcome }) => write(outcome)),
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
    if (waiting.length === 0) setImmediate(writeAll);
    waiting = [...waiting, { outcome, resolve, reject }];
    return promise;
  };
}
