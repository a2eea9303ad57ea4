/** How long after its answer a product that a run added was seen in the store. */

import { type Database } from "../sqlite/sqlite.ts";

/**
 * From the answer to the look that saw the product, in milliseconds. It was there at the latest
 * then: between two looks nobody knows.
 */
export interface VisibleLags {
  /** Products that were seen as they were sent. */
  readonly products: number;
  /** Half of them were seen within this time. */
  readonly p50Ms: number;
  /** All but one in a hundred were. */
  readonly p99Ms: number;
}

/** `undefined` where no product that the run added has been seen. */
export function readVisibleLags(database: Database, runId: string): VisibleLags | undefined {
  const lags = database
    .all(
      database.build
        .selectFrom("verification")
        .innerJoin("op", (join) =>
          join
            .onRef("op.run_id", "=", "verification.run_id")
            .onRef("op.row_no", "=", "verification.row_no"),
        )
        .select(["op.settled_at_ms", "verification.looked_at_ms"])
        .where("verification.run_id", "=", runId)
        .where("verification.status", "=", "visible")
        .where("op.kind", "=", "add"),
    )
    // A clock that was put back in between tells nothing.
    .flatMap(({ settled_at_ms, looked_at_ms }) =>
      settled_at_ms === null || looked_at_ms < settled_at_ms ? [] : [looked_at_ms - settled_at_ms],
    )
    .toSorted((a, b) => a - b);
  const at = (share: number): number => lags[Math.ceil(lags.length * share) - 1] ?? 0;
  if (lags.length === 0) return undefined;
  return { products: lags.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}
