import { type Flags, UsageError, EXIT, printJson } from "@catalog/console";
import { type Lang } from "@catalog/i18n";
import { mergeSettings, planAgain, readRun, RETRIED_STATES } from "@catalog/importer";

import { type CommandContext } from "../../context.ts";
import { confirmAndApply, assertCanGoOn } from "../../shared/confirmation.ts";
import { toPicturesAgain } from "../../shared/image-flags.ts";
import { showPlan, toReportDir, watchPlan } from "../../shared/plan-from-flags.ts";
import { openForRun, readSettings, runFlag } from "../../shared/run-settings.ts";
import { reportRun } from "../../shared/run-view.ts";
import { textsFor } from "../../shared/texts.ts";

/** `catalog retry RUN`: plans a new run of the rows that the marketplace refused. */
export async function runRetryCommand(context: CommandContext, flags: Flags): Promise<number> {
  assertCanGoOn(context, flags);
  await using toolkit = await openForRun(context, flags);
  using lock = toolkit.locks.store("catalog retry");
  const old = await readRun(toolkit, runFlag(flags));
  const { undoOf } = old.progress;
  if (undoOf !== undefined) {
    const say = (lang: Lang): string => textsFor(lang).undoInstead(undoOf);
    throw new UsageError({ tr: say("tr"), en: say("en") });
  }
  const [first] = await toolkit.journal.readRows(old.id, { states: RETRIED_STATES, limit: 1 });
  const command = "retry";
  if (first === undefined) {
    const summary = await reportRun(toolkit, old, {
      command: old.command,
      exit: EXIT.done,
      said: { command, exit: EXIT.done },
    });
    if (context.json) printJson(context.terminal, summary);
    context.terminal.err(`${textsFor(context.lang).nothingToRetry(old.id)}\n`);
    return EXIT.done;
  }
  const run = await watchPlan(context, { lock, flags }, (watched) =>
    planAgain(toolkit, {
      ...watched,
      run: old,
      command,
      lang: context.lang,
      reportDir: toReportDir(context, flags),
      settings: mergeSettings(old.settings, readSettings(flags)),
      pictures: toPicturesAgain(context, flags, old.progress),
    }),
  );
  if (!context.json) await showPlan(context, toolkit, run);
  return await confirmAndApply(context, toolkit, { command, flags, run });
}
