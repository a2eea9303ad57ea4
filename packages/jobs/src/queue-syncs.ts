/**
 * Leaves the starts of schedules to the workers of a shared queue, at their times. Any number of
 * processes may do this: a time is theirs who has written it down first. Of several missed times the
 * last one is run, once.
 */

import type { Clock } from "@catalog/clock";
import { type Connection, toOpenSync } from "@catalog/connection";

import type { ScheduleProgress, ScheduleRecord } from "./queue.ts";
import { countFrom, createTimetables, planStart, SCHEDULE_POLL_MS } from "./run-schedules.ts";
import { readDelay, type ScheduleEvent, type ScheduleStart } from "./run-store-schedules.ts";
import { rankOfFeed } from "./schedule-health.ts";

/** A store whose schedules are started. */
export interface QueuedStore extends Pick<Connection, "baseUrl" | "storeId"> {
  /** Number of the store in the database. */
  readonly storeKey: number;
  readonly onEvent?: ((event: ScheduleEvent) => void) | undefined;
}

export interface QueueSyncsOptions {
  /** Reads and writes the schedules and the queue of all stores. */
  readonly memory: Pick<Connection["memory"], "schedules" | "jobs">;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}

/** Starts that are written down at the same time: as many as there are connections. */
const AT_ONCE = 4;

/** Does so for the stores until `stop` aborts. */
export async function queueSyncs(
  stores: readonly QueuedStore[],
  { memory, clock, stop }: QueueSyncsOptions,
): Promise<void> {
  const { schedules, jobs } = memory;
  const timetableOf = createTimetables();
  for (const { onEvent } of stores) onEvent?.({ event: "leading" });
  while (!stop.aborted) {
    const nowMs = jobs.nowMs();
    const starts = listStarts(stores, await schedules.listAll(), { nowMs, timetableOf });
    const due = starts.filter(({ atMs, fresh }) => fresh !== undefined || atMs <= nowMs);
    const begun = due.some(({ progress }) => progress.state === "begun");
    const open = begun ? await jobs.listOpenSyncs() : new Set();
    const handle = async (start: StoreStart): Promise<void> => {
      const { store, schedule, progress, fresh } = start;
      const isQueued = open.has(toOpenSync(store.storeKey, schedule.id));
      if (fresh !== undefined) await schedules.advance(toStored(start), fresh);
      else if (progress.state === "done" || !isQueued) await begin(memory, start);
    };
    for (let at = 0; at < due.length; at += AT_ONCE) {
      await Promise.all(due.slice(at, at + AT_ONCE).map(handle));
    }
    const nextMs = tellNext(stores, starts, nowMs);
    await clock
      .sleep(Math.max(1, Math.min(SCHEDULE_POLL_MS, nextMs - nowMs)), stop)
      .catch(() => undefined);
  }
}

/** A time of a schedule. */
interface StoreStart extends ScheduleStart {
  readonly store: QueuedStore;
  readonly dueMs: number;
  readonly progress: ScheduleProgress;
  /** What the times count from, where nothing was written yet. */
  readonly fresh: ScheduleProgress | undefined;
}

interface ListOptions {
  readonly nowMs: number;
  readonly timetableOf: ReturnType<typeof createTimetables>;
}

/** The next start of each schedule; those of earlier times first, and stock before prices. */
function listStarts(
  stores: readonly QueuedStore[],
  known: ReadonlyMap<number, readonly ScheduleRecord[]>,
  { nowMs, timetableOf }: ListOptions,
): readonly StoreStart[] {
  const starts: StoreStart[] = [];
  for (const store of stores) {
    for (const schedule of known.get(store.storeKey) ?? []) {
      const timetable = timetableOf(schedule);
      const { madeBy, state } = schedule;
      if (madeBy === "command" || state === "paused" || timetable === undefined) continue;
      const progress = countFrom(schedule.progress, nowMs);
      const fresh = progress === schedule.progress ? undefined : progress;
      const delayMs = readDelay({ ...store, nowMs }, schedule);
      const start = planStart({ delayMs, progress }, timetable, { nowMs });
      if (start !== undefined) starts.push({ ...start, store, schedule, progress, fresh });
    }
  }
  return starts.toSorted(
    (a, b) => a.dueMs - b.dueMs || rankOfFeed(a.schedule) - rankOfFeed(b.schedule),
  );
}

const toStored = ({
  store,
  schedule,
}: StoreStart): Parameters<QueueSyncsOptions["memory"]["schedules"]["advance"]>[0] => ({
  store: store.storeKey,
  id: schedule.id,
  from: schedule.progress,
});

/** Writes that the time is begun, and leaves it to the workers. */
async function begin(
  { schedules, jobs }: QueueSyncsOptions["memory"],
  start: StoreStart,
): Promise<void> {
  const { store, schedule, dueMs } = start;
  if (!(await schedules.advance(toStored(start), { dueMs, state: "begun" }))) return;
  // A process that ends here leaves a time that is begun without a job, which is found at the next look.
  const job = { kind: "sync", key: schedule.id, spec: { dueMs } } as const;
  await jobs.add({ ...job, priority: 2 - rankOfFeed(schedule) }, store.storeKey);
}

/** Tells each store its next start; returns the first of all. */
function tellNext(
  stores: readonly QueuedStore[],
  starts: readonly StoreStart[],
  nowMs: number,
): number {
  const next = new Map<QueuedStore, StoreStart>();
  for (const start of starts) {
    const first = next.get(start.store);
    if (start.atMs > nowMs && start.atMs < (first?.atMs ?? Infinity)) next.set(start.store, start);
  }
  for (const store of stores) {
    const start = next.get(store);
    const shown = start && { schedule: start.schedule, atMs: start.atMs };
    store.onEvent?.({ event: "waiting", next: shown });
  }
  return Math.min(Infinity, ...[...next.values()].map(({ atMs }) => atMs));
}
