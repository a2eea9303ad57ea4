import { EXIT, type Flags, printJson, readFlag } from "@catalog/console";
import { readBackPending, readWholeRun } from "@catalog/importer";

import { storedExit } from "../../apply-and-report.ts";
import type { CommandContext } from "../../context.ts";
import { findHeldFile, readAllProblems } from "../../problems.ts";
import { formatProblems, formatResult } from "../../report-texts.ts";
import { readCounts, readGuarded, reportRun } from "../../run-view.ts";

/** `catalog report RUN`: writes the result files again from the database. */
export async function runReportCommand(context: CommandContext, flags: Flags): Promise<number> {
  await using connection = await context.openConnection();
  const { id: runId } = await readWholeRun(connection, readFlag.text(flags, "run") ?? "");
  // Rows that the store did not show as sent may be shown by now.
  await readBackPending(connection, { runId, signal: context.stop });
  const stored = await readWholeRun(connection, runId);
  const folder = readFlag.text(flags, "report");
  const run = folder === undefined ? stored : { ...stored, reportDir: context.resolve(folder) };
  const guarded = await readGuarded(connection, run);
  const exit = storedExit({ ...run, guarded }, await readCounts(connection, run));
  const printed = { command: "report", exit: EXIT.done };
  const summary = await reportRun(context, connection, run, {
    command: run.command,
    exit,
    printed,
  });
  if (context.json) {
    printJson(context.terminal, summary);
  } else {
    for (const problems of await readAllProblems(connection, run, findHeldFile(context, run))) {
      context.terminal.out(formatProblems(problems, context.lang, context.terminal));
    }
    context.terminal.out(
      formatResult(summary, context.lang, { columns: context.terminal.outColumns }),
    );
  }
  return EXIT.done;
}
