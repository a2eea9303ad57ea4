/** Ends a command with its plan: reports it, and names the command that sends it. */

import type { Connection } from "@catalog/connection";
import { type Flags, printJson } from "@catalog/console";
import { readBiggestChanges } from "@catalog/report";
import type { RunRecord } from "@catalog/runs";

import type { CommandContext } from "../context.ts";
import { planExit } from "./exit-codes.ts";
import { showPlan } from "./plan-from-flags.ts";
import { formatResult } from "./report-texts.ts";
import { readCounts, reportRun } from "./run-view.ts";
import { textsFor } from "./texts.ts";

/** A run that is planned, and the command that planned it. */
export interface PlannedRun {
  readonly command: string;
  readonly run: RunRecord;
  readonly flags: Flags;
}

/** Writes the result files, shows the plan, and returns the exit code. */
export async function endWithPlan(
  context: CommandContext,
  connection: Connection,
  { command, run, flags }: PlannedRun,
): Promise<number> {
  const exit = planExit(run, await readCounts(connection, run));
  const summary = await reportRun(context, connection, run, { command, exit });
  const { terminal, lang } = context;
  if (context.json) {
    printJson(terminal, { ...summary, changes: await readBiggestChanges(connection, run) });
  } else {
    await showPlan(context, connection, run, flags);
    terminal.out(formatResult(summary, lang, { columns: terminal.outColumns }));
    if (summary.planned.requests > 0) terminal.err(`\n${textsFor(lang).applyWith(run.id)}\n`);
  }
  await connection.storage.pruneWhileIdle(context.stop);
  return exit;
}
