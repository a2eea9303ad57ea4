/** How far the run of a draft is, for the list of files. */

import type { Connection } from "@catalog/connection";
import { findUndo } from "@catalog/importer";
import { toCounts } from "@catalog/runs";

import type { PlannedSummary, SentSummary } from "../../api/drafts.ts";
import { toRunState } from "../runs/run-summary.ts";

/** Reads the latest run of a draft; `null` where none was approved. */
export async function readSentSummary(
  connection: Connection,
  { run: id }: { readonly run: string | null },
): Promise<SentSummary | null> {
  const { runs, journal, locks } = connection;
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
    cancelled: counts.cancelled,
    isUndone: (await findUndo(connection, run)) !== undefined,
  };
}

/** Reads what the plan of a draft would send; `null` where no plan waits for its approval. */
export async function readPlannedSummary(
  { runs, journal }: Pick<Connection, "runs" | "journal">,
  { run: id }: { readonly run: string | null },
): Promise<PlannedSummary | null> {
  const run = id === null ? undefined : await runs.read(id);
  if (run?.state !== "planned") return null;
  const { pending, held } = toCounts(await journal.countRows(run.id));
  return { ready: pending, held };
}
