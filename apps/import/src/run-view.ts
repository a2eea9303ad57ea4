/** What the commands do with a run after planning or applying it: count, write files, print. */

import { type Counts, isBlocking, type RowState, type RunRecord, toCounts } from "@catalog/runs";
import {
  type CommandContext,
  readSummary,
  type RunSummary,
  type Toolkit,
  writeResultFiles,
  writeSummary,
} from "@catalog/toolkit";

import { MOST_SHOWN, type Problems } from "./report.ts";

/** Rows that a person corrects in the sheet. */
const TO_FIX: readonly RowState[] = ["invalid", "duplicate", "rejected"];

/** Rows fetched to find the problems to show. */
const MOST_ROWS = 200;

export async function readCounts({ journal }: Toolkit, run: RunRecord): Promise<Counts> {
  return toCounts(await journal.countRows(run.id));
}

/** The first problems of a run, in the order of the sheet: what to fix, and what waits. */
export async function readAllProblems(
  toolkit: Toolkit,
  run: RunRecord,
  toFix: readonly RowState[] = TO_FIX,
): Promise<readonly Problems[]> {
  return [
    { kind: "fix", ...(await readProblems(toolkit, run, toFix)) },
    { kind: "wait", ...(await readProblems(toolkit, run, ["held"])) },
  ];
}

async function readProblems(
  toolkit: Toolkit,
  run: RunRecord,
  states: readonly RowState[],
): Promise<Omit<Problems, "kind">> {
  const counts = await toolkit.journal.countRows(run.id);
  const rows = counts
    .filter(({ state }) => states.includes(state))
    .reduce((sum, each) => sum + each.rows, 0);
  const filter = { states, limit: MOST_ROWS };
  const records = await toolkit.journal.readRows(run.id, filter);
  const issues = records.flatMap((record) => record.issues.filter(isBlocking));
  const hidden = Math.max(0, rows - records.length);
  return {
    rows,
    issues: issues.slice(0, MOST_SHOWN),
    more: Math.max(0, issues.length - MOST_SHOWN) + hidden,
  };
}

export interface Reported {
  /** What `summary.json` keeps of the command that made the run. */
  readonly command: string;
  readonly exit: number;
  /** What is said instead by a command that only tells of the run. */
  readonly said?: Pick<RunSummary, "command" | "exit">;
}

/** Writes the result files and the summary, and returns the summary. */
export async function reportRun(
  toolkit: Toolkit,
  run: RunRecord,
  { said, ...kept }: Reported,
): Promise<RunSummary> {
  const files = await writeResultFiles(toolkit, run);
  const summary = await readSummary(toolkit, run, { ...kept, files });
  if (files.summary !== null) await writeSummary(files.summary, summary);
  return { ...summary, ...said };
}

/** Prints the one document of `--json`. */
export function printJson({ terminal }: CommandContext, document: unknown): void {
  terminal.out(`${JSON.stringify(document)}\n`);
}
