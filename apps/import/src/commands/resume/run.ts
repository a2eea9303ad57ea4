import type { Flags } from "@catalog/console";
import { assertDraftCurrent, readWholeRun } from "@catalog/importer";

import type { CommandContext } from "../../context.ts";
import { applyAndReport } from "../../shared/apply-and-report.ts";
import { openForRun, runFlag } from "../../shared/run-settings.ts";

/** `catalog resume RUN`: reconciles unknown rows and sends the rest. */
export async function runResumeCommand(context: CommandContext, flags: Flags): Promise<number> {
  await using connection = await openForRun(context, flags);
  await using lock = await connection.locks.store("catalog resume");
  const run = await readWholeRun(connection, runFlag(flags));
  await lock.nameRun(run.id);
  // A plan of which nothing was sent yet tells no more of a draft that was corrected since.
  if (run.state === "planned") await assertDraftCurrent(connection, run);
  const step = { command: "resume", flags, run, recheck: "adds", isContinued: true } as const;
  return await applyAndReport(context, connection, step);
}
