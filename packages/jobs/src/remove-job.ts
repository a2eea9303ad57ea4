/** Takes a job out of the queue, or asks the process that does it to stop. */

import type { Connection } from "@catalog/connection";
import type { JobKey, LockHolder } from "@catalog/database";

import { askToStop } from "./stop-request.ts";
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

/** The members of a connection by which a sending is stopped. */
export interface StopSendingTools extends RemoveJobTools {
  readonly memory: Pick<Connection["memory"], "jobs" | "notes">;
  readonly locks: Pick<Connection["locks"], "job" | "holderOf">;
}

/**
 * - `removed`: it was in the queue, and no worker starts it any more.
 * - `stopping`: a process sends it, or is about to, and was asked to stop at its next safe point.
 * - `none`: nobody sends it.
 */
export interface SendingStop {
  readonly is: "removed" | "stopping" | "none";
  /** The process that sends it; `undefined` where none does, or a worker is about to start one. */
  readonly holder: LockHolder | undefined;
}

/** Stops the sending of a run, on whatever machine it is. */
export async function stopSending(tools: StopSendingTools, run: string): Promise<SendingStop> {
  const removal = await removeJob(tools, { kind: "apply", key: run });
  // Where a worker has died, what it had started goes on.
  const holder = await tools.locks.holderOf(run);
  if (removal === "taken" || holder !== undefined) {
    await askToStop(tools, run);
    return { is: "stopping", holder };
  }
  return { is: removal, holder };
}
