/** Finds what waits for a person in a store, whichever run holds it. */

import type { Connection } from "@catalog/connection";
import type { RunRecord } from "@catalog/runs";

/** A run, and how many of its rows are held. */
export interface HeldRun {
  readonly run: RunRecord;
  readonly held: number;
}

/**
 * Lists the runs that hold rows, the newest first. Left out are plans that were never applied, which
 * wait for nobody, and syncs of a feed that was synced again since, which holds what is still to be
 * decided. Reads counts only, no rows.
 */
export async function listHeldRuns({
  runs,
  journal,
}: Pick<Connection, "runs" | "journal">): Promise<readonly HeldRun[]> {
  const found: HeldRun[] = [];
  const feeds = new Set<string>();
  for (const run of await runs.list(Number.MAX_SAFE_INTEGER)) {
    if (run.state === "planning" || run.state === "planned") continue;
    if (run.kind === "sync" && run.facts !== null) {
      const feed = run.file.feed ?? run.file.path;
      if (feeds.has(feed)) continue;
      feeds.add(feed);
    }
    const states = await journal.countRows(run.id);
    const held = states.reduce((sum, { state, rows }) => sum + (state === "held" ? rows : 0), 0);
    if (held > 0) found.push({ run, held });
  }
  return found;
}
