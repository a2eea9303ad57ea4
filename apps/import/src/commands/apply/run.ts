import type { Connection } from "@catalog/connection";
import { type Flags, UsageError } from "@catalog/console";
import {
  assertPlanCurrent,
  assertPlanned,
  mergeSettings,
  readRun,
  readWholeRun,
} from "@catalog/importer";

import type { CommandContext } from "../../context.ts";
import { applyAndReport } from "../../shared/apply-and-report.ts";
import { refuseByLimits } from "../../shared/confirmation.ts";
import { followQueued, type QueuedRun, queueRun } from "../../shared/queued-run.ts";
import { openForRun, readSettings, runFlag } from "../../shared/run-settings.ts";
import { unqueueRun } from "./unqueue-run.ts";

/** `catalog apply RUN`: sends a stored plan as it was shown. */
export async function runApplyCommand(context: CommandContext, flags: Flags): Promise<number> {
  if (flags["unqueue"] === true) return await unqueue(context, flags);
  await using connection = await openForRun(context, flags);
  const ended = await apply(context, connection, flags);
  return typeof ended === "number" ? ended : await followQueued(context, connection, ended);
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
  if (flags["recheck"] === true) assertPlanned(stored);
  else await assertPlanCurrent(connection, stored);
  const command = "apply";
  const run = { ...stored, settings: mergeSettings(stored.settings, readSettings(flags)) };
  const refused = await refuseByLimits(context, connection, { command, run });
  if (refused !== undefined) return refused;
  if (flags["queue"] === true) return await queueRun(context, connection, { command, flags, run });
  return await applyAndReport(context, connection, { command, flags, run, recheck: "adds" });
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
