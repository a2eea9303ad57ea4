/**
 * Whether a run that was not finished has never sent anything, and nobody is planning it now. A
 * process that plans it all the same, as it was suspended, can store no more rows of it.
 */

import { readProcesses } from "../locks/process-note.ts";
import { type Database, isFileDatabase } from "../sql/database.ts";
import type { Steps } from "../sql/steps.ts";
import { hasNewestEvent } from "./is-over.ts";
import type { Candidate } from "./run-candidates.ts";

export function* isUnsent(database: Database, run: Candidate, ageMs: number): Steps<boolean> {
  const { id, state } = run;
  if (state === "finished" || (yield* hasRequest(database, id))) return false;
  if (state === "planning" && mayBePlanned(database, run, ageMs)) return false;
  return !(yield* hasNewestEvent(database, id));
}

/** A row that was sent has a request, or had one that was proved to be unsent. */
function* hasRequest(database: Database, runId: string): Steps<boolean> {
  const ops = database.build.selectFrom("op").select("row_no").where("run_id", "=", runId).limit(1);
  return (yield* database.get(ops)) !== undefined;
}

/** Time without a change after which a run is not planned any more, in milliseconds. */
const MAX_PLANNING_MS = 7 * 86_400_000;

/**
 * Whether another process that has the file open was running when the run was created. The
 * processes of a server leave no notes, so that only the age of the run tells.
 */
function mayBePlanned(database: Database, { created_at_ms }: Candidate, ageMs: number): boolean {
  if (!isFileDatabase(database)) return ageMs < MAX_PLANNING_MS;
  try {
    return readProcesses(database.path).some(
      ({ pid, sinceMs }) => pid !== process.pid && sinceMs <= created_at_ms,
    );
  } catch {
    // The folder cannot be read.
    return true;
  }
}
