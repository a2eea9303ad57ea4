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

/** Rows that a person has to look at. */
const PROBLEM_STATES: readonly RowState[] = ["invalid", "duplicate", "rejected", "held"];

/** Rows fetched to find the problems to show. */
const MOST_ROWS = 200;

export async function readCounts({ journal }: Toolkit, run: RunRecord): Promise<Counts> {
  return toCounts(await journal.countRows(run.id));
}

/** The first problems of a run, in the order of the sheet. */
export async function readProblems(toolkit: Toolkit, run: RunRecord): Promise<Problems> {
  const counts = await readCounts(toolkit, run);
  const rows = counts.invalid + counts.duplicate + counts.rejected + counts.held;
  const filter = { states: PROBLEM_STATES, limit: MOST_ROWS };
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
  readonly command: string;
  readonly exit: number;
}

/** Writes the result files and the summary, and returns the summary. */
export async function reportRun(
  toolkit: Toolkit,
  run: RunRecord,
  { command, exit }: Reported,
): Promise<RunSummary> {
  const files = await writeResultFiles(toolkit, run);
  const summary = await readSummary(toolkit, run, { command, exit, files });
  if (files.summary !== null) await writeSummary(files.summary, summary);
  return summary;
}

/** Prints the one document of `--json`. */
export function printJson({ terminal }: CommandContext, document: unknown): void {
  terminal.out(`${JSON.stringify(document)}\n`);
}
