/** Cancels rows that an earlier sync left unsent, as a newer feed says what holds now. */

import type { Connection } from "@catalog/connection";
import { isReleased } from "@catalog/importer";
import { readAllRows, type RowKey, type RunRecord } from "@catalog/runs";

/** Runs that are checked; older ones were checked by earlier syncs. */
const MAX_RUNS = 50;

/** Cancels the unsent rows of earlier syncs and finishes their runs. */
export async function cancelUnsent(tools: Connection): Promise<void> {
  for (const run of await tools.runs.list(MAX_RUNS)) {
    if (run.kind !== "sync" || run.prunedAtMs !== undefined) continue;
    if (run.state === "planned" || run.state === "running" || run.state === "stopped") {
      await cancelRows(tools, run);
    }
  }
}

async function cancelRows(tools: Connection, run: RunRecord): Promise<void> {
  const {
    journal,
    runs,
    memory: { feedState },
  } = tools;
  let isOpen = false;
  for await (const rows of readAllRows(journal, run.id, { states: ["ready"] })) {
    for (const { row } of rows) {
      const key = { runId: run.id, row };
      if (await isReleased(feedState, key)) continue;
      await cancel(journal, key);
      isOpen = true;
    }
  }
  if (isOpen || run.state === "running") await runs.update(run.id, { state: "finished" });
}

async function cancel(journal: Connection["journal"], key: RowKey): Promise<void> {
  await journal.recordOutcome({ ...key, from: "ready" }, { to: "held", cause: "superseded" });
  await journal.recordOutcome({ ...key, from: "held" }, { to: "cancelled", cause: "superseded" });
}
