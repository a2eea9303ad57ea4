import { type Flags, printJson } from "@catalog/console";
import { readBiggestChanges } from "@catalog/toolkit";

import { type CommandContext } from "../context.ts";
import { planExit } from "../exit-code.ts";
import { planFromFlags, showPlan } from "../plan-step.ts";
import { formatResult } from "../report.ts";
import { readSettings } from "../run-settings.ts";
import { readCounts, reportRun } from "../run-view.ts";
import { textsFor } from "../texts.ts";

/** `catalog plan FILE`: everything but sending. */
export async function runPlanCommand(context: CommandContext, flags: Flags): Promise<number> {
  const settings = readSettings(flags);
  await using toolkit = await context.openToolkit(settings);
  using lock = toolkit.lock("catalog plan");
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
