/** Leaves the sending of a run to the workers. */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";

import { forgetStopRequest } from "./stop-request.ts";

type RunRecord = NonNullable<Awaited<ReturnType<Connection["runs"]["read"]>>>;

export interface LeaveOptions {
  /** The settings with which it is sent. */
  readonly settings: RunRecord["settings"];
  /** Language of the messages. */
  readonly lang: Lang;
}

/** A person has decided that the run goes on: what was asked for before, and what had stopped it, is over. */
export async function leaveToWorkers(
  { runs, memory }: Pick<Connection, "runs" | "memory">,
  { id, progress }: Pick<RunRecord, "id" | "progress">,
  { settings, lang }: LeaveOptions,
): Promise<void> {
  const { exit, atMs } = progress.ended ?? {};
  const ended = exit === undefined || atMs === undefined ? undefined : { exit, atMs };
  await runs.update(id, { settings, progress: { ...progress, ended } });
  await forgetStopRequest({ memory }, id);
  await memory.jobs.add({ kind: "apply", key: id, spec: { lang } });
}
