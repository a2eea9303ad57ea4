import { type Flags } from "@catalog/console";
import { assertPlanCurrent, assertPlanned, mergeSettings, readRun } from "@catalog/importer";

import { type CommandContext } from "../../context.ts";
import { applyAndReport } from "../../shared/apply-and-report.ts";
import { refuseByLimits } from "../../shared/confirmation.ts";
import { openForRun, readSettings, runFlag } from "../../shared/run-settings.ts";

/** `catalog apply RUN`: sends a stored plan as it was shown. */
export async function runApplyCommand(context: CommandContext, flags: Flags): Promise<number> {
  await using toolkit = await openForRun(context, flags);
  using lock = toolkit.locks.store("catalog apply");
  const stored = await readRun(toolkit, runFlag(flags));
  lock.nameRun(stored.id);
  if (flags["recheck"] === true) assertPlanned(stored);
  else await assertPlanCurrent(toolkit, stored);
  const command = "apply";
  const run = { ...stored, settings: mergeSettings(stored.settings, readSettings(flags)) };
  const refused = await refuseByLimits(context, toolkit, { command, run });
  if (refused !== undefined) return refused;
  return await applyAndReport(context, toolkit, { command, flags, run, recheck: "adds" });
}
