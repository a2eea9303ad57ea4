/** Shared steps after planning or applying a run: count, write files, print. */

import { type Connection, recordEnd } from "@catalog/connection";
import { describeFileError, isFileError } from "@catalog/i18n";
import {
  createIssueList,
  NO_FILES,
  readIssues,
  readSummary,
  type RunSummary,
  writeResultFiles,
  writeSummary,
} from "@catalog/report";
import {
  type Counts,
  guardOf,
  hasSent,
  readAllRows,
  type RunRecord,
  type StateCount,
  toCounts,
} from "@catalog/runs";

import type { CommandContext } from "../context.ts";
import { createProgress } from "./progress.ts";
import { tellWarning } from "./tell.ts";
import { textsFor } from "./texts.ts";

export async function readCounts({ journal }: Connection, run: RunRecord): Promise<Counts> {
  return toCounts(await journal.countRows(run.id));
}

/** Rows read at a time. */
const BATCH_ROWS = 500;

/** Counts the given rows of the run as they are now; rows that stand together are read together. */
export async function countDecided(
  { journal }: Pick<Connection, "journal">,
  { id }: Pick<RunRecord, "id">,
  rows: readonly number[],
): Promise<Counts> {
  const wanted = new Set(rows);
  const states: StateCount[] = [];
  let readTo = 0;
  for (const next of [...wanted].toSorted((a, b) => a - b)) {
    if (next <= readTo) continue;
    const limit = Math.min(wanted.size, BATCH_ROWS);
    const records = await journal.readRows(id, { after: next - 1, limit });
    for (const { row, state, action } of records) {
      if (wanted.delete(row)) states.push({ state, action, rows: 1 });
    }
    readTo = records.at(-1)?.row ?? next;
  }
  return toCounts(states);
}

/** Number of the run's rows that a guard holds. */
export async function readGuarded(connection: Connection, run: RunRecord): Promise<number> {
  let guarded = 0;
  for await (const held of readAllRows(connection.journal, run.id, { states: ["held"] })) {
    guarded += held.filter(
      (row) => !hasSent(row) && row.issues.some((issue) => guardOf(issue)),
    ).length;
  }
  return guarded;
}

export interface ReportedRun {
  /** Name of the command that made the run, for `summary.json`. */
  readonly command: string;
  readonly exit: number;
  /** Code of what has stopped it early. @default nothing has */
  readonly stop?: string | undefined;
  /** Command and exit code to print instead, for a command that only reports the run. */
  readonly printed?: Pick<RunSummary, "command" | "exit">;
  /** Whether the marks in the run's file of held rows were read. @default false */
  readonly replacesHeld?: boolean | undefined;
  /** @default true */
  readonly writesFiles?: boolean | undefined;
}

/** Writes the result files and the summary, unless they are not wanted, and returns the summary. */
export async function reportRun(
  context: CommandContext,
  connection: Connection,
  run: RunRecord,
  { printed, replacesHeld, writesFiles = true, stop, ...kept }: ReportedRun,
): Promise<RunSummary> {
  // A command that only reports the run, or settles rows of it, says so in `printed`.
  if (printed === undefined) await recordEnd(connection, run.id, { exit: kept.exit, stop });
  if (!writesFiles) return { ...(await summarizeOnly(connection, run, kept)), ...printed };
  const { terminal, clock, lang, quiet, json } = context;
  const list = createIssueList(run);
  const progress = createProgress({ terminal, clock, texts: textsFor(lang), quiet: quiet || json });
  progress.show({ phase: "write" });
  try {
    const files = await writeResultFiles(connection, run, {
      observe: (row) => list.observe(row),
      program: terminal.program,
      replacesHeld,
      onKept: (text) => {
        progress.end();
        tellWarning(context, text[context.lang]);
      },
    });
    const summary = await readSummary(connection, run, { ...kept, files, issues: list.summary() });
    if (files.summary !== null) await writeSummary(files.summary, summary);
    progress.end();
    return { ...summary, ...printed };
  } catch (error) {
    progress.end();
    // What the run did is told all the same, unless its files are all that was asked for.
    if (!isFileError(error) || printed?.command === "report") throw error;
    const text = textsFor(lang).filesUnwritten(describeFileError(error)[lang], run.id);
    terminal.err(`! ${text}\n`);
    return { ...(await summarizeOnly(connection, run, kept)), ...printed };
  }
}

/** The summary of a run without files. */
async function summarizeOnly(
  connection: Connection,
  run: RunRecord,
  kept: Pick<ReportedRun, "command" | "exit">,
): Promise<RunSummary> {
  const issues = await readIssues(connection, run);
  return await readSummary(connection, run, { ...kept, files: NO_FILES, issues });
}
