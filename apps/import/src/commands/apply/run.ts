/** Takes a run out of the queue, or asks the process that sends it to stop. */

import { CatalogError, type Connection } from "@catalog/connection";
import { EXIT, type Flags, printJson, UsageError } from "@catalog/console";
import { assertPlanCurrent, mergeSettings, readRun, readWholeRun } from "@catalog/importer";
import { readQueuedRuns, stopSending } from "@catalog/jobs";
import { readSummary } from "@catalog/report";
import type { RunRecord } from "@catalog/runs";

import { applyAndReport, refuseByLimits } from "../../apply-and-report.ts";
import type { CommandContext } from "../../context.ts";
import { runFlag } from "../../flags.ts";
import { followQueued, type QueuedRun, queueRun, queueTexts } from "../../queued-run.ts";
import {
  approveFromFlags,
  endScheduled,
  readWish,
  tellPeriod,
  tellWish,
} from "../../run-period.ts";
import { openForRun, readSettings } from "../../run-settings.ts";
import { tell } from "../../run-view.ts";

/** Returns the exit code. */
async function unqueueRun(
  context: CommandContext,
  connection: Connection,
  run: RunRecord,
): Promise<number> {
  const { lang, terminal, json } = context;
  const stop = await stopSending(connection, run.id);
  const exit = EXIT.done;
  if (!json) {
    tell(context, describe(context, run, stop));
    return exit;
  }
  printJson(terminal, {
    ...(await readSummary(connection, run, { command: "apply", exit, lang })),
    unqueued: stop.is === "removed",
    stopping: stop.is === "stopping",
  });
  return exit;
}

function describe(
  { lang }: CommandContext,
  { id }: RunRecord,
  { is, holder }: Awaited<ReturnType<typeof stopSending>>,
): string {
  const texts = queueTexts[lang];
  if (is === "stopping") return texts.stopping(id, holder);
  return is === "removed" ? texts.removed(id) : texts.notQueued(id);
}

/** `catalog apply RUN`: sends a stored plan as it was shown. */
export async function runApplyCommand(context: CommandContext, flags: Flags): Promise<number> {
  if (flags["unqueue"] === true) return await unqueue(context, flags);
  await using connection = await openForRun(context, flags);
  const run = await readWholeRun(connection, runFlag(flags));
  const left = { command: "apply", flags, run };
  if (isBegun(run) && flags["queue"] === true && run.kind !== "sync") {
    // It was approved when it was begun, and needs no lock to wait for a worker.
    return await followQueued(context, connection, await queueRun(context, connection, left));
  }
  if (await isSentElsewhere(connection, run)) return await followQueued(context, connection, left);
  const ended = await apply(context, connection, flags);
  return typeof ended === "number" ? ended : await followQueued(context, connection, ended);
}

/** Whether rows of the run were sent, or may have been, and it is not at its end. */
const isBegun = ({ state }: RunRecord): boolean => state === "running" || state === "stopped";

/** Whether another process sends the run, or a worker is going to continue it. */
async function isSentElsewhere(connection: Connection, run: RunRecord): Promise<boolean> {
  if ((await connection.locks.holderOf(run.id)) !== undefined) return true;
  const queued = (await readQueuedRuns(connection)).get(run.id);
  return queued !== undefined && (queued.place === "taken" || isBegun(run));
}

/** Returns the exit code, or the run that was left to the workers. */
async function apply(
  context: CommandContext,
  connection: Connection,
  flags: Flags,
): Promise<number | QueuedRun> {
  await using lock = await connection.locks.store("catalog apply");
  const stored = await readWholeRun(connection, runFlag(flags));
  await lock.nameRun(stored.id);
  const isScheduled = await assertUnscheduled(connection, stored, flags);
  // What a person has approved for later is rechecked when it is sent.
  const isRechecked = flags["recheck"] === true || isScheduled;
  await assertPlanCurrent(connection, stored, { isRechecked });
  const command = "apply";
  const run = { ...stored, settings: mergeSettings(stored.settings, readSettings(flags)) };
  const refused = await refuseByLimits(context, connection, { command, run });
  if (refused !== undefined) return refused;
  tellWish(context, connection, { flags, known: await readWish(connection, run) });
  const period = await approveFromFlags(connection, run, flags);
  if (period?.startAtMs !== undefined) {
    return await endScheduled(context, connection, { command, flags, run });
  }
  if (flags["queue"] === true) return await queueRun(context, connection, { command, flags, run });
  const step = { command, flags, run, recheck: "adds" } as const;
  const exit = await applyAndReport(context, connection, step);
  await tellPeriod(context, connection, run);
  return exit;
}

/**
 * Whether the run was approved for a time that is ahead. Throws `CatalogError` `E_RUN_SCHEDULED` where
 * the flags give it no other one.
 */
async function assertUnscheduled(
  connection: Connection,
  run: RunRecord,
  flags: Flags,
): Promise<boolean> {
  const { approvedAtMs, startAtMs, isQueued, isWithdrawn } =
    (await readWish(connection, run)) ?? {};
  const isAhead = approvedAtMs !== undefined && startAtMs !== undefined && isQueued !== true;
  if (run.state !== "planned" || !isAhead || isWithdrawn === true) return false;
  if (flags["start-at"] === undefined) throw new CatalogError("E_RUN_SCHEDULED", run.id);
  return true;
}

async function unqueue(context: CommandContext, flags: Flags): Promise<number> {
  if (flags["queue"] === true) {
    throw new UsageError({
      tr: "--queue ile --unqueue birlikte verilemez; birini seçin.",
      en: "--queue and --unqueue exclude each other; choose one.",
    });
  }
  await using connection = await openForRun(context, flags);
  return await unqueueRun(context, connection, await readRun(connection, runFlag(flags)));
}
