/** Judges lost updates: they set absolute values, so the listing shows whether they took effect. */

import type { StoreProduct } from "@catalog/contract";

import { compareFields } from "../plan/compare.ts";
import type { RowOutcome } from "../row/row-outcome.ts";
import { openBody } from "../row/row-parts.ts";
import type { RowRecord } from "../row/row-record.ts";

/** Returns `done` when the store shows every field of the update; otherwise it is sent again. */
export function judgeUpdate(record: RowRecord, seen: StoreProduct | undefined): RowOutcome {
  if (seen === undefined) return { to: "ready", cause: "read-back-missing" };
  const wanted = openBody(record) ?? {};
  const { changes, notComparable } = compareFields({ wanted, seen, priceUnit: "unknown" });
  const isApplied = changes.length === 0 && notComparable.length === 0;
  const evidence = { rule: "read back by id", changes, notComparable };
  return isApplied
    ? { to: "done", cause: "read-back", evidence }
    : { to: "ready", cause: "read-back-differs", evidence };
}
