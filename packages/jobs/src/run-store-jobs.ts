/**
 * Does the jobs of one store, each as a process of its own. A job is a row of the database and
 * nothing else: it is done when its row says so, so a worker that dies leaves it to the next one.
 * Jobs of a store follow each other, as their commands exclude each other.
 */

import type { Connection, JobLock } from "@catalog/connection";
import type { JobKey, JobRecord, JobResult } from "@catalog/database";
import type { Lang } from "@catalog/i18n";
import { z } from "zod";

import { readFailure, untilEnded } from "./command-end.ts";
import { type JobEnd, judgeAttempt, STOPPED } from "./judge-attempt.ts";
import type { StartCommand } from "./start-command.ts";
import { forgetStopRequest, readStopRequest, watchStopRequest } from "./stop-request.ts";
import { tryLock } from "./try-lock.ts";
import type { WorkSlots } from "./work-slots.ts";

/** The members of a connection that jobs need. */
export interface JobTools extends Pick<Connection, "clock"> {
  readonly memory: Pick<Connection["memory"], "jobs" | "notes">;
  readonly locks: Pick<Connection["locks"], "job" | "storeHolder">;
}

/** What happens to a job. */
export type JobEvent =
  | { readonly event: "started"; readonly job: JobKey; readonly pid: number | undefined }
  | {
      readonly event: "ended";
      readonly job: JobKey;
      readonly result: JobResult;
      /** Whether the job is tried again. */
      readonly isRetried: boolean;
    };

export interface RunStoreJobsOptions {
  readonly startCommand: StartCommand;
  /** Language of the commands' messages, where a job has none. */
  readonly lang: Lang;
  /** A command under way is asked to stop, too, and waited for. Its job stays open. */
  readonly stop: AbortSignal;
  readonly slots: WorkSlots;
  readonly onEvent?: ((event: JobEvent) => void) | undefined;
}

/** Longest wait after which jobs are read again. */
const POLL_MS = 2_000;

/** Does the store's jobs until `stop` aborts. */
export async function runStoreJobs(tools: JobTools, options: RunStoreJobsOptions): Promise<void> {
  const { stop } = options;
  while (!stop.aborted) {
    const job = await findDue(tools);
    const isDone = job !== undefined && (await doInSlot(tools, options, job)) === true;
    if (!isDone && !stop.aborted) await sleep(tools, stop);
  }
}

/** The job to do next; none while another process works on the store. */
async function findDue({ memory, locks }: JobTools): Promise<JobRecord | undefined> {
  const open = await memory.jobs.listOpen();
  const due = open.find(({ notBeforeMs }) => notBeforeMs <= memory.jobs.nowMs());
  if (due === undefined || (await locks.storeHolder()) !== undefined) return undefined;
  return due;
}

/** Returns whether this worker has done the job; `undefined` where it was stopped before. */
async function doInSlot(
  tools: JobTools,
  options: RunStoreJobsOptions,
  job: JobKey,
): Promise<boolean | undefined> {
  return await options.slots.run(job.kind, options.stop, () => doJob(tools, options, job));
}

/** Another worker may have taken the job, or even ended it, while this one waited for a place. */
async function doJob(
  tools: JobTools,
  options: RunStoreJobsOptions,
  { kind, key }: JobKey,
): Promise<boolean> {
  await using lock = await tryLock(() => tools.locks.job({ kind, key }));
  if (lock === undefined) return false;
  const job = await tools.memory.jobs.read({ kind, key });
  if (job === undefined || job.result !== undefined) return false;
  return await startJob(tools, options, { job, lock });
}

const specSchema = z.object({ lang: z.enum(["tr", "en"]).optional() });

interface TakenJob {
  readonly job: JobRecord;
  readonly lock: JobLock;
}

async function startJob(
  tools: JobTools,
  { startCommand, lang, stop, onEvent }: RunStoreJobsOptions,
  { job, lock }: TakenJob,
): Promise<boolean> {
  // Asked for while a worker had the job that has died since.
  if ((await readStopRequest(tools, job.key)) !== undefined) {
    return await settle(tools, job, { isOver: true, result: STOPPED });
  }
  const { lang: own = lang } = specSchema.safeParse(job.spec).data ?? {};
  const startedMs = tools.clock.now();
  const started = startCommand(["resume", "--no-files", `--lang=${own}`, "--", job.key]);
  onEvent?.({ event: "started", job, pid: started.pid });
  using watch = watchStopRequest(tools, job.key, { stop });
  const ended = await untilEnded(started, { stop: watch.signal, stopsCommands: true });
  // Of a job that another worker may have taken meanwhile, that worker tells the end.
  if (ended === undefined || stop.aborted || !lock.isHeld()) return false;
  const end = judgeAttempt({
    result: { exit: ended.exit, ...readFailure(ended, EXPECTED) },
    isStopAsked: (await readStopRequest(tools, job.key)) !== undefined,
    lastedMs: tools.clock.now() - startedMs,
    before: job,
  });
  const isOver = await settle(tools, job, end);
  onEvent?.({ event: "ended", job, result: end.result, isRetried: !isOver });
  return isOver;
}

/** Exit codes of commands that need no words: all rows, none that could be sent, or all but some. */
const EXPECTED: ReadonlySet<number> = new Set([0, 3, 5]);

/** Ends the job, or moves it to another attempt. Returns whether it is over. */
async function settle(tools: JobTools, job: JobRecord, end: JobEnd): Promise<boolean> {
  const { jobs } = tools.memory;
  if (end.isOver) {
    await jobs.end(job, end.result);
    // A wish to stop was about this job; the run may be queued again.
    await forgetStopRequest(tools, job.key);
  } else {
    const { pauseMs, failures, failure } = end;
    await jobs.postpone(job, { notBeforeMs: jobs.nowMs() + pauseMs, failures, failure });
  }
  return end.isOver;
}

async function sleep({ clock }: JobTools, stop: AbortSignal): Promise<void> {
  try {
    await clock.sleep(POLL_MS, stop);
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}
