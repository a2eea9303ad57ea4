/**
 * The queue of a world, which promises as little as any queue: a job passes on once its worker has
 * been silent, whatever that worker still does; a drop takes even a job that is under way.
 */

import { DatabaseError } from "@catalog/connection";
import type { JobKey, JobQueue, JobRecord, TakenJob } from "@catalog/jobs";

import { START_MS } from "../world/sim-process.ts";
import type { Machine, MachineProcess } from "./process.ts";
import type { MachinesWorld } from "./shared-database.ts";

/** A job, and the worker that has it. */
export interface WorldJob {
  readonly job: JobRecord;
  /** Which attempt it is. */
  readonly attempt: number;
  /** When its worker was heard last; `undefined` for a job that waits. */
  readonly heardMs: number | undefined;
}

/** Time after which a silent worker has lost its job. */
const SILENT_MS = 20_000;
const BEAT_MS = 5_000;

/** Time after which a job is tried again whose worker was silent or has given it back. */
const PAUSE_MS = 5_000;

type World = Pick<MachinesWorld, "jobs" | "timeline" | "end">;

/** A worker as the queue knows it. */
export interface QueueUser extends Pick<MachineProcess, "process" | "leases"> {
  readonly machine: Machine;
}

/** Opens the queue for a worker, or for a person who sees all. */
export function openQueue(world: World, user?: QueueUser): JobQueue {
  const { jobs, timeline } = world;
  const nowMs = (): number => Math.floor(START_MS + timeline.nowMs);
  const reach = (): void => {
    if (user !== undefined && timeline.nowMs < user.machine.offlineUntilMs) {
      throw new DatabaseError("E_DATABASE_AWAY", "the queue of the world");
    }
  };
  return {
    storeKey: 1,
    isShared: true,
    nowMs,
    readStores: async (stores) => stores.map(() => 1),
    listOpenSyncs: async () => new Set(),
    async add(added) {
      reach();
      const found = jobs.get(added.key);
      if (found !== undefined && found.job.result === undefined) return;
      const times = { askedAtMs: nowMs(), notBeforeMs: nowMs() };
      const fresh = { failures: 0, failure: undefined, isTaken: false, result: undefined };
      const job = { ...added, ...times, ...fresh };
      jobs.set(added.key, { job, attempt: (found?.attempt ?? 0) + 1, heardMs: undefined });
    },
    listOpen: async () =>
      [...jobs.values()].map(({ job }) => job).filter(({ result }) => result === undefined),
    async read({ key }) {
      reach();
      return jobs.get(key)?.job;
    },
    async remove({ key }) {
      reach();
      return jobs.delete(key) ? "removed" : "none";
    },
    async take(max) {
      reach();
      if (user === undefined || (await user.leases.readHolder("store")) !== undefined) return [];
      const due = [...jobs.values()].find((one) => isDue(one, nowMs()));
      return due === undefined || max < 1 ? [] : [takeJob(world, { user, reach, nowMs }, due)];
    },
  };
}

function isDue({ job, heardMs }: WorldJob, nowMs: number): boolean {
  if (job.result !== undefined) return false;
  return heardMs === undefined ? job.notBeforeMs <= nowMs : nowMs - heardMs > SILENT_MS;
}

interface Taker {
  readonly user: QueueUser;
  /** Throws where the machine reaches no server. */
  readonly reach: () => void;
  readonly nowMs: () => number;
}

function takeJob(
  { jobs, timeline, end }: World,
  { user, reach, nowMs }: Taker,
  found: WorldJob,
): TakenJob {
  const { key }: JobKey = found.job;
  const attempt = found.attempt + 1;
  const isHeld = (): boolean => jobs.get(key)?.attempt === attempt;
  let isSettled = false;
  const change = (to: Partial<JobRecord>, heardMs: number | undefined): void => {
    const now = jobs.get(key);
    if (now !== undefined) jobs.set(key, { job: { ...now.job, ...to }, attempt, heardMs });
  };
  const settle = (to: Partial<JobRecord>): void => {
    // A worker that reaches no server ends, and is heard no more.
    isSettled = true;
    reach();
    if (isHeld()) change({ ...to, isTaken: false }, undefined);
  };
  const beat = (): void => {
    if (isSettled || end.isHere || !isHeld()) return;
    if (timeline.nowMs >= user.machine.offlineUntilMs) change({}, nowMs());
    timeline.add(BEAT_MS, user.process, beat);
  };
  change({ isTaken: true }, nowMs());
  timeline.add(BEAT_MS, user.process, beat);
  return {
    store: 1,
    job: { ...found.job, isTaken: true },
    async isHeld() {
      reach();
      return isHeld();
    },
    *assertHeld() {
      if (!isHeld()) throw new DatabaseError("E_LEASE_LOST", key);
      yield* [];
    },
    end: async (result) => settle({ result }),
    postpone: async ({ pauseMs, failures, failure }) =>
      settle({ notBeforeMs: nowMs() + pauseMs, failures, failure }),
    async [Symbol.asyncDispose]() {
      if (isSettled) return;
      isSettled = true;
      if (isHeld() && timeline.nowMs >= user.machine.offlineUntilMs) {
        change({ notBeforeMs: nowMs() + PAUSE_MS, isTaken: false }, undefined);
      }
    },
  };
}
