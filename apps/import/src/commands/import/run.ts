import type { Flags } from "@catalog/console";

import { applyAndReport, assertCanConfirm, confirmSending } from "../../apply-and-report.ts";
import type { CommandContext } from "../../context.ts";
import { assertFile, planFromFlags, showPlan } from "../../plan-from-flags.ts";
import { followQueued, type QueuedRun, queueRun } from "../../queued-run.ts";
import {
  approveFromFlags,
  endScheduled,
  readPeriodFlags,
  readWish,
  tellPeriod,
  tellWish,
} from "../../run-period.ts";
import { readSettings } from "../../run-settings.ts";

/** `catalog import FILE`: plans, asks, sends and reports. */
export async function runImportCommand(context: CommandContext, flags: Flags): Promise<number> {
  const command = "import";
  const settings = readSettings(flags);
  await assertFile(context, flags);
  assertCanConfirm(context, flags);
  await using connection = await context.openConnection(settings);
  // Before the file is read.
  readPeriodFlags(connection, flags);
  let queued: QueuedRun;
  {
    await using lock = await connection.locks.store("catalog import");
    const run = await planFromFlags(context, connection, { command, flags, settings, lock });
    if (!context.json) await showPlan(context, connection, run, flags);
    const asked = { command, flags, run };
    tellWish(context, connection, { flags, known: await readWish(connection, run) });
    const { exit, recheck } = await confirmSending(context, connection, asked);
    if (exit !== undefined) return exit;
    const period = await approveFromFlags(connection, run, flags);
    if (period?.startAtMs !== undefined) return await endScheduled(context, connection, asked);
    if (flags["queue"] !== true) {
      const applied = await applyAndReport(context, connection, { ...asked, recheck });
      await tellPeriod(context, connection, run);
      return applied;
    }
    queued = await queueRun(context, connection, asked);
  }
  return await followQueued(context, connection, queued);
}
