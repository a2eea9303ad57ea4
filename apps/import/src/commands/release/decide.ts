/** Records decisions on held rows, and sends the rows that are released. */

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

/** A row and its decision. */
export interface Decided {
  readonly record: RowRecord;
  readonly release: Release;
}

export interface ReleaseStep {
  readonly run: RunRecord;
  readonly flags: Flags;
  readonly decided: readonly Decided[];
  /** Whether rows were named that cannot be released. @default false */
  readonly hasRefused?: boolean;
}

/** Whether the run belongs to a sync, so that the next sync sends its released rows. */
export const isFeedRun = ({ kind }: Pick<RunRecord, "kind">): boolean => kind === "sync";

/** Returns the exit code, which rows that stay held make non-zero. */
export async function settleAndSend(
  context: CommandContext,
  toolkit: Toolkit,
  step: ReleaseStep,
): Promise<number> {
  const { run } = step;
  // Rows that were ready before were not decided now and are not sent; a sync sends its own rows.
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
  readonly released: readonly RowReleased[];
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
