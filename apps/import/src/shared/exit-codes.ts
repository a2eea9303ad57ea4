/** The exit codes of a run; they are a public contract. */

import { EXIT } from "@catalog/console";
import { type AppliedPlan, badRows } from "@catalog/importer";
import { type Counts, NO_UNSENDABLE_FIELDS, type RunRecord } from "@catalog/runs";

type PlannedRun = Pick<RunRecord, "facts">;

/** Differences from the store that cannot be sent leave the run incomplete. */
function isLeft({ facts }: PlannedRun): boolean {
  const { rows, partly } = facts?.unsendable ?? NO_UNSENDABLE_FIELDS;
  return rows + partly > 0;
}

/** Exit code of a plan, for which bad rows mean a file with errors. */
export function planExit(run: PlannedRun, counts: Counts): number {
  if (badRows(counts) > 0) return EXIT.nothingSent;
  return isLeft(run) ? EXIT.someFailed : EXIT.done;
}

/** End of a run, besides its counts. */
export interface RunEnd extends PlannedRun {
  /** Held rows that a guard holds. @default none */
  readonly guarded?: number;
}

/** Exit code of an applied run. */
export function applyExit(end: AppliedPlan["end"], counts: Counts, run: RunEnd): number {
  if (end === "finished") return finishedExit(counts, run);
  // A circuit breaker that opened after the last row has left nothing to resume.
  const isOver = UNFINISHED[end] === EXIT.stopped && counts.pending + counts.unknown === 0;
  return isOver ? finishedExit(counts, run) : UNFINISHED[end];
}

/** Exit code of the command that made a run, as far as its rows still show it. */
export function storedExit(
  { state, ...run }: Pick<RunRecord, "state"> & RunEnd,
  counts: Counts,
): number {
  return state === "planned" ? planExit(run, counts) : finishedExit(counts, run);
}

const UNFINISHED: Readonly<Record<Exclude<AppliedPlan["end"], "finished">, number>> = {
  login: EXIT.login,
  permission: EXIT.login,
  stopped: EXIT.interrupted,
  breaker: EXIT.stopped,
  "too-many-rejected": EXIT.stopped,
  canary: EXIT.stopped,
};

function finishedExit(counts: Counts, { guarded = 0, ...run }: RunEnd): number {
  if (counts.pending + counts.unknown > 0) return EXIT.stopped;
  if (badRows(counts) === 0) return isLeft(run) ? EXIT.someFailed : EXIT.done;
  // Every row of the file was bad, so none was sent.
  const onlyBad = counts.invalid + counts.duplicate === counts.rows;
  return onlyBad || isStoppedByGuards(counts, guarded) ? EXIT.nothingSent : EXIT.someFailed;
}

/** Whether guards hold every row that would have been sent. */
function isStoppedByGuards(counts: Counts, guarded: number): boolean {
  const { added, updated, rejected, cancelled, held } = counts;
  return guarded > 0 && guarded === held && added + updated + rejected + cancelled === 0;
}
