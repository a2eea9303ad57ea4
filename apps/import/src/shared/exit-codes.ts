/** The exit codes that a run can end with. They are relied on from outside. */

import { EXIT } from "@catalog/console";
import { type Applied } from "@catalog/importer";
import { type Counts, NOTHING_UNSENDABLE, type RunRecord } from "@catalog/runs";

/** Rows that a person has to look at. */
export function badRows({ invalid, duplicate, rejected, held, unknown }: Counts): number {
  return invalid + duplicate + rejected + held + unknown;
}

type Planned = Pick<RunRecord, "facts">;

/** Something of the file differs from the store and cannot be sent: not all is done then. */
function isLeft({ facts }: Planned): boolean {
  const { rows, partly } = facts?.unsendable ?? NOTHING_UNSENDABLE;
  return rows + partly > 0;
}

/** A plan sends nothing: a file with bad rows is a file with errors. */
export function planExit(run: Planned, counts: Counts): number {
  if (badRows(counts) > 0) return EXIT.nothingSent;
  return isLeft(run) ? EXIT.someFailed : EXIT.done;
}

/** What a run ends with, besides its counts. */
export interface RunEnd extends Planned {
  /** Held rows that a guard holds. @default none */
  readonly guarded?: number;
}

/** What a run that was applied ends with. */
export function applyExit(end: Applied["end"], counts: Counts, run: RunEnd): number {
  if (end === "finished") return finishedExit(counts, run);
  // A breaker that opened at the very end has left nothing to be resumed.
  const isOver = UNFINISHED[end] === EXIT.stopped && counts.pending + counts.unknown === 0;
  return isOver ? finishedExit(counts, run) : UNFINISHED[end];
}

/** What the command that made a run ended with, as far as its rows still tell. */
export function storedExit(
  { state, ...run }: Pick<RunRecord, "state"> & RunEnd,
  counts: Counts,
): number {
  return state === "planned" ? planExit(run, counts) : finishedExit(counts, run);
}

const UNFINISHED: Readonly<Record<Exclude<Applied["end"], "finished">, number>> = {
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
  // Not one row of the file was good, and none of them was sent.
  const onlyBad = counts.invalid + counts.duplicate === counts.rows;
  return onlyBad || isStoppedByGuards(counts, guarded) ? EXIT.nothingSent : EXIT.someFailed;
}

/** Guards hold everything that would have been sent. */
function isStoppedByGuards(counts: Counts, guarded: number): boolean {
  const { added, updated, rejected, cancelled, held } = counts;
  return guarded > 0 && guarded === held && added + updated + rejected + cancelled === 0;
}
