import { type Toolkit } from "@catalog/connection";
import { type Flags, EXIT, textFlag, printJson } from "@catalog/console";
import { readRun } from "@catalog/importer";
import { NO_FILES, readSummary } from "@catalog/report";
import { type RunRecord } from "@catalog/runs";

import { type CommandContext } from "../../context.ts";
import { readAllProblems } from "../../shared/problems.ts";
import { formatPlan, formatProblems, formatResult } from "../../shared/report-texts.ts";
import { readCounts } from "../../shared/run-view.ts";
import { textsFor } from "../../shared/texts.ts";
import { formatRunLine } from "./run-line.ts";

/** Runs listed. */
const MOST_RUNS = 50;

/** `catalog runs [RUN]`: lists the runs, or shows one. */
export async function runRunsCommand(context: CommandContext, flags: Flags): Promise<number> {
  await using toolkit = await context.openToolkit();
  const id = textFlag(flags, "run");
  if (id === undefined) await listRuns(context, toolkit);
  else await showRun(context, toolkit, await readRun(toolkit, id));
  return EXIT.done;
}

async function listRuns(context: CommandContext, toolkit: Toolkit): Promise<void> {
  const { lang, terminal } = context;
  const texts = textsFor(lang);
  const runs = await toolkit.runLog.list(MOST_RUNS);
  if (context.json) {
    const summaries = await Promise.all(
      runs.map((run) =>
        readSummary(toolkit, run, { command: run.command, exit: EXIT.done, files: NO_FILES, lang }),
      ),
    );
    printJson(context.terminal, { command: "runs", exit: EXIT.done, runs: summaries });
    return;
  }
  if (runs.length === 0) terminal.out(`${texts.noRuns}\n`);
  for (const run of runs) {
    const counts = await readCounts(toolkit, run);
    terminal.out(formatRunLine(run, { counts, lang, columns: terminal.outColumns }));
  }
}

async function showRun(context: CommandContext, toolkit: Toolkit, run: RunRecord): Promise<void> {
  const { lang, terminal } = context;
  const rest = { command: "runs", exit: EXIT.done, files: NO_FILES, lang };
  const summary = await readSummary(toolkit, run, rest);
  if (context.json) {
    printJson(context.terminal, summary);
    return;
  }
  // The run is shown in the language of the present command, which may not be the run's.
  const shown = { ...run, lang: context.lang };
  const { rows } = summary.counts;
  const callsPerHour = toolkit.meters.pacing.callsPerHour();
  const columns = terminal.outColumns;
  const view = { rows, storeName: toolkit.baseUrl, callsPerHour, columns };
  terminal.out(formatPlan(shown, view));
  for (const problems of await readAllProblems(toolkit, run)) {
    terminal.out(formatProblems(problems, lang, columns));
  }
  terminal.out(formatResult(summary, lang, columns));
}
