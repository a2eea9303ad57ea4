/** Shared steps after planning or applying a run: count, write files, print. */

import { type Toolkit } from "@catalog/connection";
import {
  createIssueList,
  readSummary,
  type RunSummary,
  writeResultFiles,
  writeSummary,
} from "@catalog/report";
import { type Counts, guardOf, readAllRows, type RunRecord, toCounts } from "@catalog/runs";

export async function readCounts({ journal }: Toolkit, run: RunRecord): Promise<Counts> {
  return toCounts(await journal.countRows(run.id));
}

/** Number of the run's rows that a guard holds. */
export async function readGuarded(toolkit: Toolkit, run: RunRecord): Promise<number> {
  let guarded = 0;
  for await (const held of readAllRows(toolkit.journal, run.id, { states: ["held"] })) {
    guarded += held.filter(({ issues }) => issues.some((issue) => guardOf(issue))).length;
  }
  return guarded;
}

export interface Reported {
  /** Name of the command that made the run, for `summary.json`. */
  readonly command: string;
  readonly exit: number;
  /** Command and exit code to print instead, for a command that only reports the run. */
  readonly said?: Pick<RunSummary, "command" | "exit">;
}

/** Writes the result files and the summary, and returns the summary. */
export async function reportRun(
  toolkit: Toolkit,
  run: RunRecord,
  { said, ...kept }: Reported,
): Promise<RunSummary> {
  const list = createIssueList();
  const files = await writeResultFiles(toolkit, run, (row) => list.observe(row));
  const summary = await readSummary(toolkit, run, { ...kept, files, issues: list.summary() });
  if (files.summary !== null) await writeSummary(files.summary, summary);
  return { ...summary, ...said };
}
