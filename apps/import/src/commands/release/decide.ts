/** Records decisions on held rows, and sends the rows that are released. */

import { type Toolkit } from "@catalog/connection";
import { type Flags, EXIT, textFlag, printJson } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import {
  type DecidedRow,
  isFeedRun,
  type ReleasedRow,
  type ReleasedRows,
  releaseRows,
} from "@catalog/importer";
import { type RunRecord } from "@catalog/runs";

import { type CommandContext } from "../../context.ts";
import { applyAndReport } from "../../shared/apply-and-report.ts";
import { storedExit } from "../../shared/exit-codes.ts";
import { formatResult } from "../../shared/report-texts.ts";
import { readCounts, readGuarded, reportRun } from "../../shared/run-view.ts";
import { releaseTexts } from "./texts.ts";

export interface ReleaseStep {
  readonly run: RunRecord;
  readonly flags: Flags;
  readonly decided: readonly DecidedRow[];
  /** Whether rows were named that cannot be released. @default false */
  readonly hasRefused?: boolean;
}

/** Returns the exit code, which rows that stay held make non-zero. */
export async function settleAndSend(
  context: CommandContext,
  toolkit: Toolkit,
  step: ReleaseStep,
): Promise<number> {
  const { run } = step;
  const { released, sentBy } = await settleAll(context, toolkit, step);
  if (sentBy === "apply" && !context.stop.aborted) {
    return await sendReleased(context, toolkit, step);
  }
  const isKept = step.hasRefused === true || released.some(({ to }) => to === "held");
  const exit = isKept ? EXIT.someFailed : EXIT.done;
  await reportReleased(context, toolkit, { run, exit, released });
  return sentBy === "nothing" ? exit : tellWhoSends(context, run, exit);
}

/** States which command sends the released rows, and returns the exit code. */
function tellWhoSends({ terminal, lang }: CommandContext, run: RunRecord, exit: number): number {
  const texts = releaseTexts(lang);
  const isFeed = isFeedRun(run);
  const words = isFeed ? texts.feed.next : texts.othersWait(run.id);
  terminal.err(`\n${wrapText(words, { columns: terminal.outColumns, indent: 0 })}\n`);
  return exit === EXIT.done && !isFeed ? EXIT.stopped : exit;
}

interface Settled {
  readonly run: RunRecord;
  readonly exit: number;
  readonly released: readonly ReleasedRow[];
}

/** Writes the result files again, with the decisions. */
async function reportReleased(
  context: CommandContext,
  toolkit: Toolkit,
  { run, exit, released }: Settled,
): Promise<void> {
  const guarded = await readGuarded(toolkit, run);
  const stored = storedExit({ ...run, guarded }, await readCounts(toolkit, run));
  const said = { command: "release", exit };
  const summary = await reportRun(toolkit, run, { command: run.command, exit: stored, said });
  if (context.json) printJson(context.terminal, { ...summary, released });
  else context.terminal.out(formatResult(summary, context.lang, context.terminal.outColumns));
}

async function sendReleased(
  context: CommandContext,
  toolkit: Toolkit,
  { run, flags, hasRefused }: ReleaseStep,
): Promise<number> {
  const step = { command: "release", flags, run, recheck: "adds", isContinued: true } as const;
  const exit = await applyAndReport(context, toolkit, step);
  return exit === EXIT.done && hasRefused === true ? EXIT.someFailed : exit;
}

/** Settles the rows, and prints the outcome of each. */
async function settleAll(
  { terminal, lang, json, user = "?", stop: signal }: CommandContext,
  toolkit: Toolkit,
  { run, flags, decided }: ReleaseStep,
): Promise<ReleasedRows> {
  const texts = releaseTexts(lang);
  const onReleased = (row: ReleasedRow): void => {
    const text =
      row.to === "held" ? texts.kept(row.row, row.why[lang]) : texts.settled[row.to](row.row);
    const line = wrapText(text, { columns: terminal.outColumns, indent: 4 });
    if (json) terminal.err(`${line}\n`);
    else terminal.out(`${line}\n`);
  };
  const reason = textFlag(flags, "reason");
  return await releaseRows(toolkit, { run, decided, by: user, reason, signal, onReleased });
}
