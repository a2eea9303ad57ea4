/** Takes a job out of the queue, unless a worker has it. */

import type { Connection } from "@catalog/connection";
import type { JobKey } from "@catalog/database";

import { tryLock } from "./try-lock.ts";

/** The members of a connection by which a job is removed. */
export interface RemoveJobTools {
  readonly memory: Pick<Connection["memory"], "jobs">;
  readonly locks: Pick<Connection["locks"], "job">;
}

/**
 * - `removed`: no worker starts the job any more.
 * - `taken`: a worker is doing it, or may be.
 * - `none`: there is no such job, or it has ended.
 */
export type JobRemoval = "removed" | "taken" | "none";

/** Removes a job that no worker has taken. */
export async function removeJob(
  { memory: { jobs }, locks }: RemoveJobTools,
  job: JobKey,
): Promise<JobRemoval> {
  // A worker reads the job again once it has this lock, so it starts none that was removed under it.
  await using lock = await tryLock(() => locks.job(job));
  const found = await jobs.read(job);
  // A worker that has stored the end gives its lock back a moment later.
  if (found === undefined || found.result !== undefined) return "none";
  if (lock === undefined) return "taken";
  const isRemoved = await jobs.remove(job);
  // A lease that has run out meanwhile may have passed on to a worker.
  if (!lock.isHeld()) return "taken";
  return isRemoved ? "removed" : "none";
}
