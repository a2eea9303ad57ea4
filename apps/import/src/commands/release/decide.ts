/** Records decisions on held rows, and sends the rows that are released. */

import { type Connection, recordEnd } from "@catalog/connection";
import { type Flags, EXIT, textFlag, printJson } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import {
  type DecidedRow,
  isFeedRun,
  type ReleasedRow,
  type ReleasedRows,
  releaseRows,
} from "@catalog/importer";
import { type RunRecord, rowAddress } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { applyAndReport } from "../../shared/apply-and-report.ts";
import { storedExit } from "../../shared/exit-codes.ts";
import { formatResult } from "../../shared/report-texts.ts";
import { countDecided, readCounts, readGuarded, reportRun } from "../../shared/run-view.ts";
import { tellApart } from "../../shared/tell.ts";
import { releaseTexts } from "./texts.ts";

export interface ReleaseStep {
  readonly run: RunRecord;
  readonly flags: Flags;
  readonly decided: readonly DecidedRow[];
  /** Whether rows were named that cannot be released. @default false */
  readonly hasRefused?: boolean;
  /** Whether the decisions are the marks in the run's file of held rows. @default false */
  readonly replacesHeld?: boolean;
}

/** Returns the exit code, which rows that stay held make non-zero. */
export async function recordAndSend(
  context: CommandContext,
  connection: Connection,
  step: ReleaseStep,
): Promise<number> {
  const { run, replacesHeld } = step;
  const { released, sentBy } = await recordAll(context, connection, step);
  if (sentBy === "apply" && !context.stop.aborted) {
    return await sendReleased(context, connection, { ...step, released });
  }
  const isKept = step.hasRefused === true || released.some(({ to }) => to === "held");
  const exit = isKept ? EXIT.someFailed : EXIT.done;
  await reportReleased(context, connection, { run, exit, released, replacesHeld });
  if (isFeedRun(run) && released.some(({ to }) => to === "cancelled")) {
    tellApart(context, releaseTexts(context.lang).feed.cancelled);
  }
  return sentBy === "nothing" ? exit : describeSender(context, run, exit);
}

/** States which command sends the released rows, and returns the exit code. */
function describeSender(context: CommandContext, run: RunRecord, exit: number): number {
  const texts = releaseTexts(context.lang);
  const isFeed = isFeedRun(run);
  tellApart(context, isFeed ? texts.feed.next : texts.othersWait(run.id));
  return exit === EXIT.done && !isFeed ? EXIT.stopped : exit;
}

interface RecordedRelease {
  readonly run: RunRecord;
  readonly exit: number;
  readonly released: readonly ReleasedRow[];
  readonly replacesHeld: boolean | undefined;
}

/** Writes the result files again, with the decisions. */
async function reportReleased(
  context: CommandContext,
  connection: Connection,
  { run, exit, released, replacesHeld }: RecordedRelease,
): Promise<void> {
  const guarded = await readGuarded(connection, run);
  const now = storedExit({ ...run, guarded }, await readCounts(connection, run));
  // The next sync sends the rows of a sync, so that this one stays as it ended.
  const stored = isFeedRun(run) ? (run.progress.ended?.exit ?? now) : now;
  if (!isFeedRun(run)) await recordEnd(connection, run.id, { exit: stored });
  const printed = { command: "release", exit };
  const summary = await reportRun(context, connection, run, {
    command: run.command,
    exit: stored,
    printed,
    replacesHeld,
  });
  const decided = await countDecided(connection, run, toSettled(released));
  const { terminal, lang } = context;
  if (context.json) printJson(terminal, { ...summary, counts_now: decided, released });
  else terminal.out(formatResult(summary, lang, { columns: terminal.outColumns, decided }));
}

/** Rows that were given up, sent, or kept; a row that a person counts as done was not sent now. */
const toSettled = (released: readonly ReleasedRow[]): readonly number[] =>
  released.filter(({ to }) => to !== "done").map(({ row }) => row);

async function sendReleased(
  context: CommandContext,
  connection: Connection,
  { run, flags, hasRefused, released, replacesHeld }: ReleaseStep & Pick<ReleasedRows, "released">,
): Promise<number> {
  const kept = { recheck: "adds", isContinued: true } as const;
  const step = {
    command: "release",
    flags,
    run,
    ...kept,
    decided: toSettled(released),
    replacesHeld,
  };
  const exit = await applyAndReport(context, connection, step);
  return exit === EXIT.done && hasRefused === true ? EXIT.someFailed : exit;
}

/** Records the decisions, and prints the outcome of each. */
async function recordAll(
  { terminal, lang, json, user = "?", stop: signal }: CommandContext,
  connection: Connection,
  { run, flags, decided }: ReleaseStep,
): Promise<ReleasedRows> {
  const texts = releaseTexts(lang);
  const onReleased = (row: ReleasedRow): void => {
    const named = rowAddress(run.file, row.row);
    const text =
      row.to === "held" ? texts.kept(named, row.why[lang]) : texts.recorded[row.to](named);
    const line = wrapText(terminal.shown(text), { columns: terminal.outColumns, indent: 4 });
    if (json) terminal.err(`${line}\n`);
    else terminal.out(`${line}\n`);
  };
  const reason = textFlag(flags, "reason");
  return await releaseRows(connection, { run, decided, by: user, reason, signal, onReleased });
}
