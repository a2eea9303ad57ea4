/** How far the run of a draft is, for the list of files. */

import type { Connection } from "@catalog/connection";
import { toCounts } from "@catalog/runs";

import type { DraftSummary } from "../../api/drafts.ts";
import { readUndone, toRunState } from "../runs/run-summary.ts";

/** What the latest run of a draft has sent, or what it would send while it waits for approval. */
export type DraftRun = Pick<DraftSummary, "sent" | "planned">;

const NO_RUN: DraftRun = { sent: null, planned: null };

export async function readDraftRun(
  connection: Connection,
  { run: id }: { readonly run: string | null },
): Promise<DraftRun> {
  const { runs, journal, locks } = connection;
  const run = id === null ? undefined : await runs.read(id);
  if (run === undefined || run.state === "planning") return NO_RUN;
  const counts = toCounts(await journal.countRows(run.id));
  if (run.state === "planned") {
    return { sent: null, planned: { ready: counts.pending, held: counts.held } };
  }
  const state = toRunState(run, await locks.holderOf(run.id));
  if (state === "planning" || state === "planned") return NO_RUN;
  const sent = {
    state,
    waiting: counts.pending + counts.unknown,
    held: counts.held,
    wrong: counts.invalid + counts.duplicate + counts.rejected,
    cancelled: counts.cancelled,
    undone: await readUndone(connection, run),
  };
  return { sent, planned: null };
}
