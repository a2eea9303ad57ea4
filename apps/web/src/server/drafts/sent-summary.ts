/** How far the run of a draft is, for the list of files. */

import type { Connection } from "@catalog/connection";
import { toCounts } from "@catalog/runs";

import type { SentSummary } from "../../api/drafts.ts";
import { toRunState } from "../runs/run-summary.ts";

/** Reads the latest run of a draft; `null` where none was approved. */
export async function readSentSummary(
  { runs, journal, locks }: Pick<Connection, "runs" | "journal" | "locks">,
  { run: id }: { readonly run: string | null },
): Promise<SentSummary | null> {
  const run = id === null ? undefined : await runs.read(id);
  if (run === undefined || run.state === "planning" || run.state === "planned") return null;
  const state = toRunState(run, await locks.holderOf(run.id));
  if (state === "planning" || state === "planned") return null;
  const counts = toCounts(await journal.countRows(run.id));
  return {
    state,
    waiting: counts.pending + counts.unknown,
    held: counts.held,
    wrong: counts.invalid + counts.duplicate + counts.rejected,
  };
}
