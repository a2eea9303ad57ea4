import { type Flags, printJson } from "@catalog/console";
import { readBiggestChanges } from "@catalog/report";

import { type CommandContext } from "../../context.ts";
import { planExit } from "../../shared/exit-codes.ts";
import { planFromFlags, showPlan } from "../../shared/plan-from-flags.ts";
import { formatResult } from "../../shared/report-texts.ts";
import { readSettings } from "../../shared/run-settings.ts";
import { readCounts, reportRun } from "../../shared/run-view.ts";
import { textsFor } from "../../shared/texts.ts";

/** `catalog plan FILE`: plans without sending. */
export async function runPlanCommand(context: CommandContext, flags: Flags): Promise<number> {
  const settings = readSettings(flags);
  await using toolkit = await context.openToolkit(settings);
  using lock = toolkit.locks.store("catalog plan");
  const run = await planFromFlags(context, toolkit, { command: "plan", flags, settings, lock });
  const exit = planExit(run, await readCounts(toolkit, run));
  const summary = await reportRun(toolkit, run, { command: "plan", exit });
  if (context.json) {
    printJson(context.terminal, { ...summary, changes: await readBiggestChanges(toolkit, run) });
    return exit;
  }
  await showPlan(context, toolkit, run);
  context.terminal.out(formatResult(summary, context.lang, context.terminal.outColumns));
  if (summary.planned.requests > 0) {
    context.terminal.err(`\n${textsFor(context.lang).applyWith(run.id)}\n`);
  }
  return exit;
}
