import type { Flags } from "@catalog/console";

import type { CommandContext } from "../../context.ts";
import { assertFile, endWithPlan, planFromFlags } from "../../plan-from-flags.ts";
import { readSettings } from "../../run-settings.ts";

/** `catalog plan FILE`: plans without sending. */
export async function runPlanCommand(context: CommandContext, flags: Flags): Promise<number> {
  const settings = readSettings(flags);
  await assertFile(context, flags);
  await using connection = await context.openConnection(settings);
  await using lock = await connection.locks.store("catalog plan");
  const command = "plan";
  const run = await planFromFlags(context, connection, { command, flags, settings, lock });
  return await endWithPlan(context, connection, { command, run, flags });
}
