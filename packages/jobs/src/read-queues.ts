/** What waits to be started, and since when. */

import type { Connection } from "@catalog/connection";
import type { JobKind, JobRecord } from "@catalog/database";

import { readDelay, type ScheduleTools } from "./run-store-schedules.ts";
import { openTimetable } from "./timetable.ts";

/** Work of one kind that is due and not begun. */
export interface QueueState {
  /** What starts the work. */
  readonly kind: "schedule" | JobKind;
  readonly waiting: number;
  /** How long the oldest has been due, in milliseconds; 0 where none waits. */
  readonly ageMs: number;
}

/** The members of a connection by which the queues are read. */
export interface QueueTools extends Pick<ScheduleTools, "baseUrl" | "storeId" | "clock"> {
  readonly memory: Pick<Connection["memory"], "schedules" | "jobs">;
  readonly locks: Pick<Connection["locks"], "jobHolder">;
}

/** Where a run is that was left to the workers: it waits for one, or one of them has it. */
export type QueuePlace = "waiting" | "taken";

/** The members of a connection by which queued runs are read. */
export interface QueuedRunTools {
  readonly memory: Pick<Connection["memory"], "jobs">;
  readonly locks: Pick<Connection["locks"], "jobHolder">;
}

/** Reads the runs that are left to the workers, by their ids. Begins nothing. */
export async function readQueuedRuns(
  tools: QueuedRunTools,
): Promise<ReadonlyMap<string, QueuePlace>> {
  const jobs = await listOpenJobs(tools);
  return new Map(jobs.map(({ job, place }) => [job.key, place]));
}

/** Reads every queue of a store. Begins nothing. */
export async function readQueues(tools: QueueTools): Promise<readonly QueueState[]> {
  const nowMs = tools.clock.now();
  return [
    toQueue("schedule", await listDueStarts(tools), nowMs),
    toQueue("apply", await listWaitingJobs(tools), tools.memory.jobs.nowMs()),
  ];
}

function toQueue(kind: QueueState["kind"], dueMs: readonly number[], nowMs: number): QueueState {
  const ageMs = dueMs.length === 0 ? 0 : nowMs - Math.min(...dueMs);
  return { kind, waiting: dueMs.length, ageMs };
}

/**
 * The first start of each schedule that is due and not begun. A schedule that was never led has no
 * time to count from, and one that is paused or belongs to a command has no start here.
 */
async function listDueStarts(tools: QueueTools): Promise<readonly number[]> {
  const nowMs = tools.clock.now();
  const schedules = await tools.memory.schedules.list();
  return schedules
    .filter(({ madeBy, state }) => madeBy === "page" && state === "active")
    .flatMap((schedule) => {
      const { cron, timeZone, progress } = schedule;
      const next = progress && openTimetable(cron, timeZone)?.next(progress.dueMs);
      const startMs = next && next + readDelay(tools, schedule);
      return startMs !== undefined && startMs <= nowMs ? [startMs] : [];
    });
}

/** When each job was due that no worker has taken. */
async function listWaitingJobs(tools: QueuedRunTools): Promise<readonly number[]> {
  const jobs = await listOpenJobs(tools);
  const nowMs = tools.memory.jobs.nowMs();
  return jobs
    .filter(({ job, place }) => place === "waiting" && job.notBeforeMs <= nowMs)
    .map(({ job }) => job.notBeforeMs);
}

interface PlacedJob {
  readonly job: JobRecord;
  readonly place: QueuePlace;
}

async function listOpenJobs({ memory, locks }: QueuedRunTools): Promise<readonly PlacedJob[]> {
  const placed: PlacedJob[] = [];
  for (const job of await memory.jobs.listOpen()) {
    const holder = await locks.jobHolder(job);
    placed.push({ job, place: holder === undefined ? "waiting" : "taken" });
  }
  return placed;
}
