import type { Connection } from "@catalog/connection";
import { type Flags, EXIT, textFlag, printJson } from "@catalog/console";
import { readRun } from "@catalog/importer";
import { NO_FILES, readSummary } from "@catalog/report";
import type { RunRecord } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { readAllProblems } from "../../shared/problems.ts";
import { formatPlan, formatProblems, formatResult } from "../../shared/report-texts.ts";
import { readCounts } from "../../shared/run-view.ts";
import { textsFor } from "../../shared/texts.ts";
import { formatRunLine } from "./run-line.ts";

/** Runs listed. */
const MAX_RUNS = 50;

/** `catalog runs [RUN]`: lists the runs, or shows one. */
export async function runRunsCommand(context: CommandContext, flags: Flags): Promise<number> {
  await using connection = await context.openConnection();
  const id = textFlag(flags, "run");
  if (id === undefined) await listRuns(context, connection);
  else await showRun(context, connection, await readRun(connection, id));
  return EXIT.done;
}

async function listRuns(context: CommandContext, connection: Connection): Promise<void> {
  const { lang, terminal } = context;
  const texts = textsFor(lang);
  const runs = await connection.runs.list(MAX_RUNS);
  if (context.json) {
    const summaries = await Promise.all(
      runs.map((run) =>
        readSummary(connection, run, {
          command: run.command,
          exit: EXIT.done,
          files: NO_FILES,
          lang,
        }),
      ),
    );
    printJson(context.terminal, { command: "runs", exit: EXIT.done, runs: summaries });
    return;
  }
  if (runs.length === 0) terminal.out(`${texts.noRuns}\n`);
  for (const run of runs) {
    const counts = await readCounts(connection, run);
    terminal.out(formatRunLine(run, { counts, lang, columns: terminal.outColumns }));
  }
}

async function showRun(
  context: CommandContext,
  connection: Connection,
  run: RunRecord,
): Promise<void> {
  const { lang, terminal } = context;
  const rest = { command: "runs", exit: EXIT.done, files: NO_FILES, lang };
  const summary = await readSummary(connection, run, rest);
  if (context.json) {
    printJson(context.terminal, summary);
    return;
  }
  // The run is shown in the language of the present command, which may not be the run's.
  const shown = { ...run, lang: context.lang };
  const { rows } = summary.counts;
  const callsPerHour = connection.meters.pacing.callsPerHour();
  const columns = terminal.outColumns;
  const view = { rows, storeName: connection.baseUrl, callsPerHour, columns };
  terminal.out(formatPlan(shown, view));
  for (const problems of await readAllProblems(connection, run)) {
    terminal.out(formatProblems(problems, lang, columns));
  }
  terminal.out(formatResult(summary, lang, columns));
}
