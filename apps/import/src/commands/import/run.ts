import { type Flags } from "@catalog/console";

import { type CommandContext } from "../../context.ts";
import { confirmAndApply, assertCanGoOn } from "../../shared/confirmation.ts";
import { planFromFlags, showPlan } from "../../shared/plan-from-flags.ts";
import { readSettings } from "../../shared/run-settings.ts";

/** `catalog import FILE`: plans, asks, sends and reports. */
export async function runImportCommand(context: CommandContext, flags: Flags): Promise<number> {
  assertCanGoOn(context, flags);
  const settings = readSettings(flags);
  await using toolkit = await context.openToolkit(settings);
  using lock = toolkit.locks.store("catalog import");
  const command = "import";
  const run = await planFromFlags(context, toolkit, { command, flags, settings, lock });
  if (!context.json) await showPlan(context, toolkit, run);
  return await confirmAndApply(context, toolkit, { command, flags, run });
}
