/** Finds what waits for a person in a store, whichever run holds it. */

import type { Connection } from "@catalog/connection";
import type { RunRecord } from "@catalog/runs";

/** A run, and how many of its rows are held. */
export interface HeldRun {
  readonly run: RunRecord;
  readonly held: number;
}

/** Lists the runs that hold rows, the newest first. Reads counts only, no rows. */
export async function listHeldRuns({
  runs,
  journal,
}: Pick<Connection, "runs" | "journal">): Promise<readonly HeldRun[]> {
  const found: HeldRun[] = [];
  for (const run of await runs.list(Number.MAX_SAFE_INTEGER)) {
    const states = await journal.countRows(run.id);
    const held = states.reduce((sum, { state, rows }) => sum + (state === "held" ? rows : 0), 0);
    if (held > 0) found.push({ run, held });
  }
  return found;
}
