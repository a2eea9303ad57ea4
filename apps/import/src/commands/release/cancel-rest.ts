/** Gives up the rows of a run that were not sent yet. */

import type { Connection } from "@catalog/connection";
import { EXIT, type Flags, printJson, textFlag, UsageError } from "@catalog/console";
import { cancelRest, lockForCancel, readRun, readWholeRun } from "@catalog/importer";
import type { RunRecord } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { storedExit } from "../../shared/exit-codes.ts";
import { formatResult } from "../../shared/report-texts.ts";
import { openForRun, runFlag } from "../../shared/run-settings.ts";
import { readCounts, readGuarded, reportRun } from "../../shared/run-view.ts";
import { tellApart } from "../../shared/tell.ts";
import { textsFor } from "../../shared/texts.ts";
import { confirmRelease } from "./approved.ts";
import { releaseTexts } from "./texts.ts";

/** Flags that decide on single rows. */
const OTHERS = ["rows", "as-done", "resend", "resend-blind", "cancel", "approved"] as const;

/** `catalog release RUN --cancel-rest`. Returns the exit code. */
export async function runCancelRest(context: CommandContext, flags: Flags): Promise<number> {
  if (OTHERS.some((name) => flags[name] !== undefined)) throw standsAlone();
  await using connection = await openForRun(context, flags);
  const run = await readWholeRun(connection, runFlag(flags));
  await using _lock = await lockForCancel(connection, run);
  const { pending, unknown } = await readCounts(connection, run);
  const texts = releaseTexts(context.lang);
  if (pending + unknown === 0) {
    tellApart(context, texts.noRest(run.id));
    return await report(context, connection, { run, cancelled: 0 });
  }
  const question = texts.confirmRest(pending, unknown);
  const asked = { kind: "cancel", rows: pending + unknown, isFeed: false, question } as const;
  const declined = await confirmRelease(context, flags, asked);
  if (declined !== undefined) return declined;
  if (unknown > 0 && !context.quiet) tellApart(context, texts.lookingUp(unknown));
  const { cancelled } = await cancelRest(connection, {
    run,
    by: context.user ?? "?",
    reason: textFlag(flags, "reason"),
    signal: context.stop,
  });
  return await report(context, connection, { run, cancelled });
}

const standsAlone = (): UsageError =>
  new UsageError({
    tr: "--cancel-rest tek başına verilir; --rows, --as-done, --resend, --cancel ve --approved ile birlikte olmaz.",
    en: "--cancel-rest stands alone; it excludes --rows, --as-done, --resend, --cancel and --approved.",
  });

interface GivenUp {
  readonly run: RunRecord;
  readonly cancelled: number;
}

/** Writes the result files again. A run with rows of unknown outcome is left to be resumed. */
async function report(
  context: CommandContext,
  connection: Connection,
  { run: { id }, cancelled }: GivenUp,
): Promise<number> {
  const { terminal, lang, json } = context;
  const run = await readRun(connection, id);
  const counts = await readCounts(connection, run);
  const exit = counts.pending + counts.unknown === 0 ? EXIT.done : EXIT.stopped;
  const guarded = await readGuarded(connection, run);
  const summary = await reportRun(context, connection, run, {
    command: run.command,
    exit: storedExit({ ...run, guarded }, counts),
    printed: { command: "release", exit },
  });
  if (json) {
    printJson(terminal, { ...summary, given_up: cancelled });
    return exit;
  }
  terminal.out(formatResult(summary, lang, { columns: terminal.outColumns }));
  if (exit === EXIT.stopped) tellApart(context, textsFor(lang).resumeWith(id));
  if (counts.held > 0) tellApart(context, textsFor(lang).releaseWith(id));
  return exit;
}
