/** Settles held rows one by one, and sends those that are to be sent. */

import { type Toolkit } from "@catalog/connection";
import { type Flags, EXIT, textFlag, printJson } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { type Release, type Released, releaseRow } from "@catalog/importer";
import { type RowRecord, type RunRecord } from "@catalog/runs";

import { type CommandContext } from "../../context.ts";
import { applyAndReport } from "../../shared/apply-and-report.ts";
import { storedExit } from "../../shared/exit-codes.ts";
import { formatResult } from "../../shared/report-texts.ts";
import { readCounts, readGuarded, reportRun } from "../../shared/run-view.ts";
import { releaseTexts } from "./texts.ts";

/** A row, and what was decided for it. */
export interface Decided {
  readonly record: RowRecord;
  readonly release: Release;
}

export interface ReleaseStep {
  readonly run: RunRecord;
  readonly flags: Flags;
  readonly decided: readonly Decided[];
  /** Rows were asked for that cannot be released. @default false */
  readonly hasRefused?: boolean;
}

/** Whether a sync has made the run, and the next sync sends what is released of it. */
export const isFeedRun = ({ kind }: Pick<RunRecord, "kind">): boolean => kind === "sync";

/** Returns the exit code: rows that stay held leave one. */
export async function settleAndSend(
  context: CommandContext,
  toolkit: Toolkit,
  step: ReleaseStep,
): Promise<number> {
  const { run } = step;
  // What waited before was not decided on now, and is not sent along; a sync sends its own rows.
  const maySend = !isFeedRun(run) && !(await hasReady(toolkit, run));
  const released = await settleAll(context, toolkit, step);
  const isSending = released.some(({ to }) => to === "ready");
  if (isSending && maySend && !context.stop.aborted) {
    return await sendReleased(context, toolkit, step);
  }
  const isKept = step.hasRefused === true || released.some(({ to }) => to === "held");
  const exit = isKept ? EXIT.someFailed : EXIT.done;
  await reportReleased(context, toolkit, { run, exit, released });
  return isSending ? tellWhoSends(context, run, exit) : exit;
}

/** Says what sends the rows that were released, and returns the exit code. */
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
  readonly released: readonly RowReleased[];
}

/** Writes the result files anew, with what was decided in them. */
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
  const step = { command: "release", flags, run, recheck: "adds" } as const;
  const exit = await applyAndReport(context, toolkit, step);
  return exit === EXIT.done && hasRefused === true ? EXIT.someFailed : exit;
}

type RowReleased = Released & { readonly row: number };

async function settleAll(
  { terminal, lang, json, user, stop }: CommandContext,
  toolkit: Toolkit,
  { run, flags, decided }: ReleaseStep,
): Promise<readonly RowReleased[]> {
  const texts = releaseTexts(lang);
  const by = user ?? "?";
  const reason = textFlag(flags, "reason");
  const released: RowReleased[] = [];
  for (const { record, release } of decided) {
    stop.throwIfAborted();
    const { row } = record;
    const outcome = await releaseRow(toolkit, { run, record, release, by, reason, signal: stop });
    released.push({ row, ...outcome });
    const text =
      outcome.to === "held" ? texts.kept(row, outcome.why[lang]) : texts.settled[outcome.to](row);
    const line = wrapText(text, { columns: terminal.outColumns, indent: 4 });
    if (json) terminal.err(`${line}\n`);
    else terminal.out(`${line}\n`);
  }
  return released;
}

async function hasReady({ journal }: Toolkit, { id }: RunRecord): Promise<boolean> {
  return (await journal.readRows(id, { states: ["ready"], limit: 1 })).length > 0;
}
