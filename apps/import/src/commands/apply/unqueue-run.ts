/** Takes a run out of the queue, or asks the process that sends it to stop. */

import type { Connection } from "@catalog/connection";
import { EXIT, printJson } from "@catalog/console";
import { type SendingStop, stopSending } from "@catalog/jobs";
import { NO_FILES, readSummary } from "@catalog/report";
import type { RunRecord } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { queueTexts } from "../../shared/queue-texts.ts";
import { tell } from "../../shared/tell.ts";

/** Returns the exit code. */
export async function unqueueRun(
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
  const rest = { command: "apply", exit, files: NO_FILES, lang };
  printJson(terminal, {
    ...(await readSummary(connection, run, rest)),
    unqueued: stop.is === "removed",
    stopping: stop.is === "stopping",
  });
  return exit;
}

function describe(
  { lang }: CommandContext,
  { id }: RunRecord,
  { is, holder }: SendingStop,
): string {
  const texts = queueTexts[lang];
  if (is === "stopping") return texts.stopping(id, holder);
  return is === "removed" ? texts.removed(id) : texts.notQueued(id);
}
