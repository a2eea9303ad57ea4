/** Whether a run that was not finished has never sent anything, and nobody is planning it now. */

import { readProcesses } from "../locks/process-note.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { hasNewestEvent } from "./is-over.ts";
import type { Candidate } from "./run-candidates.ts";

export function isUnsent(database: Database, run: Candidate): boolean {
  const { id, state } = run;
  if (state === "finished" || hasRequest(database, id)) return false;
  if (state === "planning" && mayBePlanned(database, run)) return false;
  return !hasNewestEvent(database, id);
}

/** A row that was sent has a request, or had one that was proved to be unsent. */
function hasRequest(database: Database, runId: string): boolean {
  const ops = database.build.selectFrom("op").select("row_no").where("run_id", "=", runId).limit(1);
  return database.get(ops) !== undefined;
}

/** Whether another process that has the file open was running when the run was created. */
function mayBePlanned({ path }: Database, { created_at_ms }: Candidate): boolean {
  try {
    return readProcesses(path).some(
      ({ pid, sinceMs }) => pid !== process.pid && sinceMs <= created_at_ms,
    );
  } catch {
    // The folder cannot be read.
    return true;
  }
}
