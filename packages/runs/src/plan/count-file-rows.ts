/** Counts of all rows of a run's file, of which a sync stores only some. */

import type { RunRecord } from "../ports/run-repository.ts";
import type { Counts } from "../row/counts.ts";

/**
 * Adds the rows that a sync counts and does not store to the counts of its stored rows, so that all
 * commands tell the same number. The counts of every other run are returned as they are.
 */
export function countFileRows(
  { kind, facts }: Pick<RunRecord, "kind" | "facts">,
  counts: Counts,
): Counts {
  if (kind !== "sync" || facts === null) return counts;
  const { unchanged, skipped } = facts.notStored ?? {
    unchanged: Math.max(0, facts.planned.unchanged - counts.unchanged),
    skipped: facts.unsendable?.rows ?? 0,
  };
  return {
    ...counts,
    rows: counts.rows + unchanged + skipped,
    unchanged: counts.unchanged + unchanged,
    skipped: counts.skipped + skipped,
  };
}
