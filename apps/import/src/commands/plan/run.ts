import type { Connection } from "@catalog/connection";
import { type Flags, printJson } from "@catalog/console";
import { readBiggestChanges, type RunSummary } from "@catalog/report";
import type { RunRecord } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { planExit } from "../../shared/exit-codes.ts";
import { assertFile, planFromFlags, showPlan } from "../../shared/plan-from-flags.ts";
import { formatResult } from "../../shared/report-texts.ts";
import { readSettings } from "../../shared/run-settings.ts";
import { readCounts, reportRun } from "../../shared/run-view.ts";
import { textsFor } from "../../shared/texts.ts";

/** `catalog plan FILE`: plans without sending. */
export async function runPlanCommand(context: CommandContext, flags: Flags): Promise<number> {
  const settings = readSettings(flags);
  await assertFile(context, flags);
  await using connection = await context.openConnection(settings);
  using lock = connection.locks.store("catalog plan");
  const run = await planFromFlags(context, connection, { command: "plan", flags, settings, lock });
  const exit = planExit(run, await readCounts(connection, run));
  const summary = await reportRun(context, connection, run, { command: "plan", exit });
  if (context.json) {
    printJson(context.terminal, { ...summary, changes: await readBiggestChanges(connection, run) });
  } else await show(context, connection, { run, summary, flags });
  await connection.storage.pruneWhileIdle(context.stop);
  return exit;
}

interface PlannedRun {
  readonly run: RunRecord;
  readonly summary: RunSummary;
  readonly flags: Flags;
}

async function show(
  context: CommandContext,
  connection: Connection,
  { run, summary, flags }: PlannedRun,
): Promise<void> {
  await showPlan(context, connection, run, flags);
  context.terminal.out(
    formatResult(summary, context.lang, { columns: context.terminal.outColumns }),
  );
  if (summary.planned.requests > 0) {
    context.terminal.err(`\n${textsFor(context.lang).applyWith(run.id)}\n`);
  }
}
