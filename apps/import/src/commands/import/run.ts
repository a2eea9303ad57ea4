import type { Flags } from "@catalog/console";

import { applyAndReport, assertCanConfirm, confirmSending } from "../../apply-and-report.ts";
import type { CommandContext } from "../../context.ts";
import { assertFile, planFromFlags, showPlan } from "../../plan-from-flags.ts";
import { followQueued, type QueuedRun, queueRun } from "../../queued-run.ts";
import { readSettings } from "../../run-settings.ts";

/** `catalog import FILE`: plans, asks, sends and reports. */
export async function runImportCommand(context: CommandContext, flags: Flags): Promise<number> {
  const command = "import";
  const settings = readSettings(flags);
  await assertFile(context, flags);
  assertCanConfirm(context, flags);
  await using connection = await context.openConnection(settings);
  let queued: QueuedRun;
  {
    await using lock = await connection.locks.store("catalog import");
    const run = await planFromFlags(context, connection, { command, flags, settings, lock });
    if (!context.json) await showPlan(context, connection, run, flags);
    const asked = { command, flags, run };
    const { exit, recheck } = await confirmSending(context, connection, asked);
    if (exit !== undefined) return exit;
    if (flags["queue"] !== true) {
      return await applyAndReport(context, connection, { ...asked, recheck });
    }
    queued = await queueRun(context, connection, asked);
  }
  return await followQueued(context, connection, queued);
}
