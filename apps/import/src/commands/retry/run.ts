import { EXIT, type Flags, printJson, UsageError } from "@catalog/console";
import type { Lang } from "@catalog/i18n";
import { mergeSettings, planActionRetry, planRetry, readWholeRun } from "@catalog/importer";
import { toCounts } from "@catalog/runs";

import { assertCanConfirm, confirmAndApply } from "../../apply-and-report.ts";
import type { CommandContext } from "../../context.ts";
import { runFlag, toRetryImageOptions } from "../../flags.ts";
import { endWithPlan, showPlan, toReportDir, watchPlan } from "../../plan-from-flags.ts";
import { openForRun, readSettings } from "../../run-settings.ts";
import { reportRun } from "../../run-view.ts";
import { textsFor } from "../../texts.ts";

/** `catalog retry RUN`: plans a new run of the rows that the marketplace refused. */
export async function runRetryCommand(context: CommandContext, flags: Flags): Promise<number> {
  await using connection = await openForRun(context, flags);
  await using lock = await connection.locks.store("catalog retry");
  const old = await readWholeRun(connection, runFlag(flags));
  const { undoOf } = old.progress;
  if (undoOf !== undefined) {
    const texts = (lang: Lang): string => textsFor(lang).undoInstead(undoOf);
    throw new UsageError({ tr: texts("tr"), en: texts("en") });
  }
  const { rejected } = toCounts(await connection.journal.countRows(old.id));
  const command = "retry";
  if (rejected === 0) {
    const summary = await reportRun(context, connection, old, {
      command: old.command,
      exit: EXIT.done,
      printed: { command, exit: EXIT.done },
    });
    if (context.json) printJson(context.terminal, summary);
    context.terminal.err(`${textsFor(context.lang).nothingToRetry(old.id)}\n`);
    return EXIT.done;
  }
  if (flags["plan"] !== true) assertCanConfirm(context, flags);
  const run = await watchPlan(context, { lock, flags }, (watched) => {
    const options = {
      ...watched,
      run: old,
      command,
      lang: context.lang,
      reportDir: toReportDir(context, flags),
      settings: mergeSettings(old.settings, readSettings(flags)),
    };
    if (old.progress.actions !== undefined) return planActionRetry(connection, options);
    const images = toRetryImageOptions(context, flags, old.progress);
    return planRetry(connection, { ...options, images });
  });
  if (flags["plan"] === true) {
    return await endWithPlan(context, connection, { command, run, flags });
  }
  if (!context.json) await showPlan(context, connection, run);
  return await confirmAndApply(context, connection, { command, flags, run });
}
