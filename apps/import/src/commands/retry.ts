import { type Command, planAgain, readRun, RETRIED_STATES, UsageError } from "@catalog/toolkit";

import { EXIT } from "../exit-code.ts";
import {
  FILE_FLAGS,
  LIMIT_FLAGS,
  PACE_FLAGS,
  RUN_POSITIONAL,
  UNKNOWN_FLAG,
  VERIFY_FLAG,
  YES_FLAG,
} from "../flags.ts";
import { askAndApply, assertCanGoOn } from "../go-ahead.ts";
import { showPlan, toReportDir, watchPlan } from "../plan-step.ts";
import { mergeSettings, openForRun, runFlag } from "../run-settings.ts";
import { printJson, reportRun } from "../run-view.ts";
import { textsFor } from "../texts.ts";

const { report } = FILE_FLAGS;

/** `catalog retry RUN`: a new run of the rows that the marketplace refused. */
export const retryCommand: Command = {
  name: "retry",
  positionals: [RUN_POSITIONAL],
  describe: {
    tr: "Reddedilen satırları, saklanan hücrelerinden yeni bir çalıştırmada yeniden dener",
    en: "Tries rejected rows again in a new run, from the cells that were kept",
  },
  flags: {
    ...(report === undefined ? {} : { report }),
    ...LIMIT_FLAGS,
    ...UNKNOWN_FLAG,
    ...VERIFY_FLAG,
    ...YES_FLAG,
    ...PACE_FLAGS,
  },
  examples: ["retry r-261121-0930-4f2a", "retry r-261121-0930-4f2a --yes --json"],
  async run(context, flags) {
    assertCanGoOn(context, flags);
    await using toolkit = await openForRun(context, flags);
    using lock = toolkit.lock("catalog retry");
    const old = await readRun(toolkit, runFlag(flags));
    const { undoOf } = old.settings;
    if (undoOf !== undefined) {
      const say = (lang: "tr" | "en"): string => textsFor(lang).undoInstead(undoOf);
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
      if (context.json) printJson(context, summary);
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
        settings: mergeSettings(old.settings, flags),
      }),
    );
    if (!context.json) await showPlan(context, toolkit, run);
    return await askAndApply(context, toolkit, { command, flags, run });
  },
};
