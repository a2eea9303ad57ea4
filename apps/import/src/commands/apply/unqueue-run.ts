/** Takes a run out of the queue, unless a worker has begun to send it. */

import type { Connection } from "@catalog/connection";
import { EXIT, printJson } from "@catalog/console";
import type { LockHolder } from "@catalog/database";
import { type JobRemoval, removeJob } from "@catalog/jobs";
import { NO_FILES, readSummary } from "@catalog/report";
import type { RunRecord } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { queueTexts } from "../../shared/queue-texts.ts";
import { toJob } from "../../shared/queued-run.ts";
import { tell } from "../../shared/tell.ts";

/** Returns the exit code: that of a busy store where a worker has the run. */
export async function unqueueRun(
  context: CommandContext,
  connection: Connection,
  run: RunRecord,
): Promise<number> {
  const { lang, terminal, json } = context;
  const removal = await removeJob(connection, toJob({ run }));
  const text = describe(context, { run, removal, holder: await connection.locks.holderOf(run.id) });
  const exit = removal === "taken" ? EXIT.busy : EXIT.done;
  if (!json) {
    tell(context, text);
    return exit;
  }
  const rest = { command: "apply", exit, files: NO_FILES, lang };
  const error = removal === "taken" ? { error: { code: "E_STORE_BUSY", message: text } } : {};
  printJson(terminal, {
    ...(await readSummary(connection, run, rest)),
    unqueued: removal === "removed",
    ...error,
  });
  return exit;
}

interface Removed {
  readonly run: RunRecord;
  readonly removal: JobRemoval;
  /** The process that works on the run now. */
  readonly holder: LockHolder | undefined;
}

function describe({ lang }: CommandContext, { run, removal, holder }: Removed): string {
  const texts = queueTexts[lang];
  if (removal === "taken") return texts.taken(run.id, holder);
  const text = removal === "removed" ? texts.removed(run.id) : texts.notQueued(run.id);
  // Where a worker has died, what it has started goes on.
  return holder === undefined ? text : `${text} ${texts.stillSent(holder)}`;
}
