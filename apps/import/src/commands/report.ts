import { type Command, readRun } from "@catalog/toolkit";

import { EXIT, storedExit } from "../exit-code.ts";
import { textFlag } from "../flags.ts";
import { readAllProblems } from "../problems.ts";
import { formatProblems, formatResult } from "../report.ts";
import { printJson, readCounts, readGuarded, reportRun } from "../run-view.ts";

/** `catalog report RUN`: the result files again, from the store. */
export const reportCommand: Command = {
  name: "report",
  positionals: [
    { name: "run", required: true, describe: { tr: "Çalıştırma kimliği", en: "Id of the run" } },
  ],
  describe: {
    tr: "Bir çalıştırmanın sonuç dosyalarını yeniden yazar",
    en: "Writes the result files of a run again",
  },
  flags: {
    report: {
      type: "string",
      describe: {
        tr: "Klasör (verilmezse ilk yazıldıkları yer)",
        en: "Folder (else where they were written first)",
      },
    },
  },
  examples: ["report r-261121-0930-4f2a", "report r-261121-0930-4f2a --report sonuclar"],
  async run(context, flags) {
    await using toolkit = await context.openToolkit();
    const stored = await readRun(toolkit, textFlag(flags, "run") ?? "");
    const folder = textFlag(flags, "report");
    const run = folder === undefined ? stored : { ...stored, reportDir: context.resolve(folder) };
    const exit = storedExit(run, await readCounts(toolkit, run), await readGuarded(toolkit, run));
    const said = { command: "report", exit: EXIT.done };
    const summary = await reportRun(toolkit, run, { command: run.command, exit, said });
    if (context.json) {
      printJson(context, summary);
    } else {
      for (const problems of await readAllProblems(toolkit, run)) {
        context.terminal.out(formatProblems(problems, context.lang, context.terminal.outColumns));
      }
      context.terminal.out(formatResult(summary, context.lang));
    }
    return EXIT.done;
  },
};
