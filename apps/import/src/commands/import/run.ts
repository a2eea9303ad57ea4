import type { Flags } from "@catalog/console";

import type { CommandContext } from "../../context.ts";
import { confirmAndApply, assertCanConfirm } from "../../shared/confirmation.ts";
import { assertFile, planFromFlags, showPlan } from "../../shared/plan-from-flags.ts";
import { readSettings } from "../../shared/run-settings.ts";

/** `catalog import FILE`: plans, asks, sends and reports. */
export async function runImportCommand(context: CommandContext, flags: Flags): Promise<number> {
  const settings = readSettings(flags);
  await assertFile(context, flags);
  assertCanConfirm(context, flags);
  await using connection = await context.openConnection(settings);
  await using lock = await connection.locks.store("catalog import");
  const command = "import";
  const run = await planFromFlags(context, connection, { command, flags, settings, lock });
  if (!context.json) await showPlan(context, connection, run, flags);
  return await confirmAndApply(context, connection, { command, flags, run });
}
