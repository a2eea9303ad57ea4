import { CatalogError, type Connection } from "@catalog/connection";
import type { BrokenRun, Flags } from "@catalog/console";
import { assertDraftCurrent, readWholeRun } from "@catalog/importer";
import { needsPerson } from "@catalog/jobs";

import { applyAndReport, reportStopped } from "../../apply-and-report.ts";
import type { CommandContext } from "../../context.ts";
import { runFlag } from "../../flags.ts";
import { assertMayResume } from "../../run-period.ts";
import { openForRun } from "../../run-settings.ts";

/** `catalog resume RUN`: reconciles unknown rows and sends the rest. */
export async function runResumeCommand(context: CommandContext, flags: Flags): Promise<number> {
  await using connection = await openForRun(context, flags);
  await using lock = await connection.locks.store("catalog resume");
  const run = await readWholeRun(connection, runFlag(flags));
  await lock.nameRun(run.id);
  const stopped = flags["queued"] === true ? run.progress.ended : undefined;
  if (stopped?.stop !== undefined && needsPerson(stopped.stop)) {
    return await reportStopped(context, connection, { command: "resume", flags, run, ...stopped });
  }
  await assertMayResume(connection, run);
  // A plan of which nothing was sent yet no longer describes a draft that was corrected since.
  if (run.state === "planned") await assertDraftCurrent(connection, run);
  const step = { command: "resume", flags, run, recheck: "adds", isContinued: true } as const;
  return await applyAndReport(context, connection, step);
}

/**
 * Goes on with the run of a command after a replica took over the database. It may lack the newest
 * commits, so all is read anew, and what may have been sent is looked up. Rejects with the error of
 * the take-over where the replica knows no run that has begun.
 */
export async function goOnAfterTakeOver(
  context: CommandContext,
  given: Flags,
  { command, run: runId, error }: BrokenRun,
): Promise<number> {
  const flags = { ...given, run: runId };
  await using connection = await openBroken(context, flags, error);
  // The replica does not have the run.
  if ((await connection.runs.read(runId)) === undefined) throw error;
  await using lock = await connection.locks.store(`catalog ${command}`);
  const run = await readWholeRun(connection, runId);
  if (run.state === "planning" || run.state === "planned") throw error;
  await lock.nameRun(run.id);
  context.terminal.err(`${GOES_ON[context.lang]}\n`);
  const step = { command, flags, run, recheck: "adds", isContinued: true } as const;
  return await applyAndReport(context, connection, step);
}

const GOES_ON = {
  tr: "Veritabanını başka bir sunucu devraldı: gönderilmiş olabilecekler önce mağazada aranıyor, sonra sürecek.",
  en: "Another server has taken over the database: what may have been sent is looked up in the store first, then it goes on.",
};

async function openBroken(
  context: CommandContext,
  flags: Flags,
  error: unknown,
): Promise<Connection> {
  try {
    return await openForRun(context, flags);
  } catch (reason) {
    throw reason instanceof CatalogError ? error : reason;
  }
}
