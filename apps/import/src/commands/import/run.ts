import type { Connection } from "@catalog/connection";
import type { Flags } from "@catalog/console";
import type { RunSettings } from "@catalog/runs";

import { assertCanConfirm, confirmAndApply, confirmSending } from "../../apply-and-report.ts";
import type { CommandContext } from "../../context.ts";
import { assertFile, planFromFlags, showPlan } from "../../plan-from-flags.ts";
import { followQueued, type QueuedRun, queueRun } from "../../queued-run.ts";
import { readSettings } from "../../run-settings.ts";

/** `catalog import FILE`: plans, asks, sends and reports. */
export async function runImportCommand(context: CommandContext, flags: Flags): Promise<number> {
  const settings = readSettings(flags);
  await assertFile(context, flags);
  assertCanConfirm(context, flags);
  await using connection = await context.openConnection(settings);
  const ended = await planAndApply(context, connection, { flags, settings });
  return typeof ended === "number" ? ended : await followQueued(context, connection, ended);
}

interface GivenFlags {
  readonly flags: Flags;
  readonly settings: RunSettings;
}

/** Returns the exit code, or the run that was left to the workers. */
async function planAndApply(
  context: CommandContext,
  connection: Connection,
  { flags, settings }: GivenFlags,
): Promise<number | QueuedRun> {
  await using lock = await connection.locks.store("catalog import");
  const command = "import";
  const run = await planFromFlags(context, connection, { command, flags, settings, lock });
  if (!context.json) await showPlan(context, connection, run, flags);
  const asked = { command, flags, run };
  if (flags["queue"] !== true) return await confirmAndApply(context, connection, asked);
  const { exit } = await confirmSending(context, connection, asked);
  return exit ?? (await queueRun(context, connection, asked));
}
