import type { Connection } from "@catalog/connection";
import { type Flags, EXIT, printJson } from "@catalog/console";
import { prunedRun } from "@catalog/database";
import { planUndo, readRun } from "@catalog/importer";
import { isBlocking, readAllRows, type RowIssue, type RunRecord } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { confirmAndApply, assertCanConfirm } from "../../shared/confirmation.ts";
import { showPlan, toReportDir, watchPlan } from "../../shared/plan-from-flags.ts";
import { formatIssue, MAX_SHOWN } from "../../shared/report-texts.ts";
import { openForRun, readSettings, runFlag } from "../../shared/run-settings.ts";
import { reportRun } from "../../shared/run-view.ts";
import { textsFor } from "../../shared/texts.ts";

/** `catalog undo RUN`: plans a new run that restores fields that still have our values. */
export async function runUndoCommand(context: CommandContext, flags: Flags): Promise<number> {
  assertCanConfirm(context, flags);
  await using connection = await openForRun(context, flags);
  using lock = connection.locks.store("catalog undo");
  const old = await readRun(connection, runFlag(flags));
  const command = "undo";
  const [first] = await connection.journal.readRows(old.id, { states: ["done"], limit: 1 });
  if (first === undefined) {
    if (old.prunedAtMs !== undefined) throw prunedRun(old.id, old.prunedAtMs);
    return await printNothing(context, connection, old);
  }
  const run = await watchPlan(context, { lock, flags }, async (watched) => {
    const options = {
      run: old,
      command,
      lang: context.lang,
      zeroStock: flags["zero-stock"] === true,
      reportDir: toReportDir(context, flags),
      settings: readSettings(flags),
    };
    return (await planUndo(connection, { ...watched, ...options })).run;
  });
  if (!context.json) {
    await showPlan(context, connection, run);
    await showLeft(context, connection, run);
  }
  return await confirmAndApply(context, connection, { command, flags, run });
}

async function printNothing(
  context: CommandContext,
  connection: Connection,
  old: RunRecord,
): Promise<number> {
  const printed = { command: "undo", exit: EXIT.done };
  const summary = await reportRun(context, connection, old, {
    command: old.command,
    exit: EXIT.done,
    printed,
  });
  if (context.json) printJson(context.terminal, summary);
  context.terminal.err(`${textsFor(context.lang).nothingToUndo(old.id)}\n`);
  return EXIT.done;
}

/** Lists the rows that are not restored, or only in part. */
async function showLeft(
  { terminal, lang }: CommandContext,
  { journal }: Connection,
  run: RunRecord,
): Promise<void> {
  const left: RowIssue[] = [];
  for await (const rows of readAllRows(journal, run.id)) {
    // Blocking issues are shown with the plan.
    for (const { code, issues } of rows) {
      const named = issues.filter((issue) => !isBlocking(issue));
      left.push(...named.map((issue) => withCode(issue, code ?? "")));
    }
  }
  const shown = left.slice(0, MAX_SHOWN);
  for (const issue of shown) terminal.out(formatIssue(issue, lang, terminal.outColumns));
  const more = left.length - shown.length;
  if (more > 0) terminal.out(`  ${textsFor(lang).moreProblems(more)}\n`);
}

/** The rows belong to another run's file, so their codes are more useful than row numbers. */
const withCode = (issue: RowIssue, code: string): RowIssue => ({
  ...issue,
  message: { tr: `${code}: ${issue.message.tr}`, en: `${code}: ${issue.message.en}` },
});
