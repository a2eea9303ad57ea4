/**
 * Sends the rows of a run by what sent it before. A run that was left to the workers stays theirs
 * until it is taken out of the queue; any other one is sent by a command of the page. A run never
 * has both.
 */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { assertPlanCurrent, mergeSettings } from "@catalog/importer";
import { leaveToWorkers } from "@catalog/jobs";
import type { RunRecord } from "@catalog/runs";

import type { RunJobs } from "./run-jobs.ts";

export interface SendOnOptions {
  readonly lang: Lang;
  /** The command that sends the run, with its flags, where the workers do not. */
  readonly words: readonly string[];
  /** Approves a plan of which nothing was sent. @default the run is gone on with */
  readonly approval?: { readonly canary: number | undefined } | undefined;
}

/** Returns whether it was started or queued; `false` where a command of the page is at work. */
export async function sendOn(
  { connection, jobs }: { readonly connection: Connection; readonly jobs: RunJobs },
  run: RunRecord,
  { lang, words, approval }: SendOnOptions,
): Promise<boolean> {
  const job = { kind: "apply", key: run.id } as const;
  // Its end, such as a stop, is kept for a week; taking it out of the queue removes it.
  if ((await connection.memory.jobs.read(job)) === undefined) return jobs.send(run.id, words);
  if (approval !== undefined) await assertPlanCurrent(connection, run);
  jobs.forget(run.id);
  const settings = approval === undefined ? run.settings : mergeSettings(run.settings, approval);
  await leaveToWorkers(connection, run, { settings, lang });
  return true;
}
