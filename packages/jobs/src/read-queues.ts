/** What waits to be started, and since when. */

import type { Connection } from "@catalog/connection";

import type { JobKind, JobRecord } from "./queue.ts";
import { readDelay, type ScheduleTools } from "./run-store-schedules.ts";
import { openTimetable } from "./timetable.ts";

/** Work of one kind that is due and not begun. */
export interface QueueState {
  /** What starts the work. */
  readonly kind: "schedule" | JobKind;
  readonly waiting: number;
  /** How long the oldest has been due, in milliseconds; 0 where none waits. */
  readonly ageMs: number;
  /** Open work whose latest attempt has failed; it is tried again. */
  readonly failing: number;
}

/** The members of a connection by which the queues are read. */
interface QueueTools extends Pick<ScheduleTools, "baseUrl" | "storeId" | "clock"> {
  readonly memory: Pick<Connection["memory"], "schedules" | "jobs">;
}

/** Where a run is that was left to the workers: it waits for one, or one of them has it. */
type QueuePlace = "waiting" | "taken";

/** A run that was left to the workers. */
export interface QueuedRunState extends Pick<JobRecord, "failures" | "failure" | "notBeforeMs"> {
  readonly place: QueuePlace;
}

/** The members of a connection by which queued runs are read. */
interface QueuedRunTools {
  readonly memory: Pick<Connection["memory"], "jobs">;
}

/** Reads the runs that are left to the workers, by their ids. Begins nothing. */
export async function readQueuedRuns(
  tools: QueuedRunTools,
): Promise<ReadonlyMap<string, QueuedRunState>> {
  const jobs = await tools.memory.jobs.listOpen();
  const runs = jobs.filter(({ kind }) => kind === "apply" || kind === "start");
  return new Map(
    runs.map(({ key, isTaken, failures, failure, notBeforeMs }) => [
      key,
      { place: isTaken ? "taken" : "waiting", failures, failure, notBeforeMs },
    ]),
  );
}

/** Reads every queue of a store. Begins nothing. */
export async function readQueues(tools: QueueTools): Promise<readonly QueueState[]> {
  const starts = await listDueStarts(tools);
  const jobs = await tools.memory.jobs.listOpen();
  const runs = jobs.filter(({ kind }) => kind !== "sync");
  const syncs = jobs.filter(({ kind }) => kind === "sync");
  const failing = runs.filter(({ failure }) => failure !== undefined).length;
  const nowMs = tools.memory.jobs.nowMs();
  return [
    // How syncs fail is reported for each feed.
    {
      kind: "schedule",
      ...toQueue([...starts, ...listWaiting(syncs, nowMs)], nowMs),
      failing: 0,
    },
    { kind: "apply", ...toQueue(listWaiting(runs, nowMs), nowMs), failing },
  ];
}

function toQueue(dueMs: readonly number[], nowMs: number): Pick<QueueState, "waiting" | "ageMs"> {
  const ageMs = dueMs.length === 0 ? 0 : nowMs - Math.min(...dueMs);
  return { waiting: dueMs.length, ageMs };
}

/**
 * The first start of each schedule that is due and not begun. A schedule that was never led has no
 * time to count from, and one that is paused or belongs to a command has no start here.
 */
async function listDueStarts(tools: QueueTools): Promise<readonly number[]> {
  const nowMs = tools.memory.jobs.nowMs();
  const schedules = await tools.memory.schedules.list();
  return schedules
    .filter(({ madeBy, state }) => madeBy === "page" && state === "active")
    .flatMap((schedule) => {
      const { cron, timeZone, progress } = schedule;
      const next = progress && openTimetable(cron, timeZone)?.next(progress.dueMs);
      const startMs = next && next + readDelay({ ...tools, nowMs }, schedule);
      return startMs !== undefined && startMs <= nowMs ? [startMs] : [];
    });
}

/** When each job was due that no worker has taken. */
const listWaiting = (jobs: readonly JobRecord[], nowMs: number): readonly number[] =>
  jobs
    .filter(({ isTaken, notBeforeMs }) => !isTaken && notBeforeMs <= nowMs)
    .map(({ notBeforeMs }) => notBeforeMs);
