/** The exit codes that a run can end with. They are relied on from outside. */

import { type Counts, type RunRecord } from "@catalog/runs";
import { type Applied } from "@catalog/toolkit";

export const EXIT = {
  done: 0,
  usage: 2,
  nothingSent: 3,
  login: 4,
  someFailed: 5,
  stopped: 6,
  interrupted: 130,
} as const;

/** Rows that a person has to look at. */
export function badRows({ invalid, duplicate, rejected, held, unknown }: Counts): number {
  return invalid + duplicate + rejected + held + unknown;
}

/** A plan sends nothing: a file with bad rows is a file with errors. */
export function planExit(counts: Counts): number {
  return badRows(counts) > 0 ? EXIT.nothingSent : EXIT.done;
}

/** What a run that was applied ends with; `guarded` of its held rows are held by a guard. */
export function applyExit(end: Applied["end"], counts: Counts, guarded: number = 0): number {
  if (end === "finished") return finishedExit(counts, guarded);
  // A breaker that opened at the very end has left nothing to be resumed.
  const isOver = UNFINISHED[end] === EXIT.stopped && counts.pending + counts.unknown === 0;
  return isOver ? finishedExit(counts, guarded) : UNFINISHED[end];
}

/** What the command that made a run ended with, as far as its rows still tell. */
export function storedExit(
  { state }: Pick<RunRecord, "state">,
  counts: Counts,
  guarded: number,
): number {
  return state === "planned" ? planExit(counts) : finishedExit(counts, guarded);
}

const UNFINISHED: Readonly<Record<Exclude<Applied["end"], "finished">, number>> = {
  login: EXIT.login,
  permission: EXIT.login,
  stopped: EXIT.interrupted,
  breaker: EXIT.stopped,
  "too-many-rejected": EXIT.stopped,
  canary: EXIT.stopped,
};

function finishedExit(counts: Counts, guarded: number): number {
  if (counts.pending + counts.unknown > 0) return EXIT.stopped;
  if (badRows(counts) === 0) return EXIT.done;
  // Not one row of the file was good, and none of them was sent.
  const onlyBad = counts.invalid + counts.duplicate === counts.rows;
  return onlyBad || isStoppedByGuards(counts, guarded) ? EXIT.nothingSent : EXIT.someFailed;
}

/** Guards hold everything that would have been sent. */
function isStoppedByGuards(counts: Counts, guarded: number): boolean {
  const { added, updated, rejected, cancelled, held } = counts;
  return guarded > 0 && guarded === held && added + updated + rejected + cancelled === 0;
}
