/**
 * Outcomes of requests. Those that become known in the same turn of the event loop are written
 * together, so that one commit serves them all; each is told when its own is written.
 */

import { type Attempted, type RowState, type Settlement } from "@catalog/runs";

import { partByPart } from "../sqlite/savepoints.ts";
import { type Database } from "../sqlite/sqlite.ts";

/** What became of a row that was being sent. */
export interface Outcome {
  readonly key: Attempted & { readonly from: RowState };
  readonly settlement: Settlement;
}

/** Resolves once it is written; rejects with what kept it from being written. */
export type SettleOutcome = (outcome: Outcome) => Promise<void>;

interface Waiting {
  readonly outcome: Outcome;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** `write` writes one of them within a transaction. */
export function createOutcomes(
  database: Database,
  write: (outcome: Outcome) => void,
): SettleOutcome {
  let waiting: readonly Waiting[] = [];

  const writeAll = (): void => {
    const group = waiting;
    waiting = [];
    try {
      // An outcome that a power cut takes back leaves its row sending, which is looked up; the next
      // begin, or the end of the run, syncs it.
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
    // All answers that have come in by now are handled before the loop comes round.
    if (waiting.length === 0) setImmediate(writeAll);
    waiting = [...waiting, { outcome, resolve, reject }];
    return promise;
  };
}
