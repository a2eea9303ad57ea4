/**
 * Workers on a server that is restarted and taken over: the real loops over schedules and jobs, a
 * clock that a test moves, and a queue that promises as little as any. While the server is away calls
 * wait for it; a call of the queue under way when it goes is made again, though it was done.
 */

import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { DatabaseError, toOpenSync } from "@catalog/connection";

import type {
  JobQueue,
  JobRecord,
  ScheduleProgress,
  ScheduleRecord,
  TakenJob,
} from "../../src/queue.ts";
import { runWork, type WorkStore, type WorkTools } from "../../src/run-work.ts";

/** A time at which the server cannot be reached. */
export interface ServerAway {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface WorldSettings {
  readonly startMs: number;
  readonly stores: number;
  readonly schedules: readonly Pick<ScheduleRecord, "id" | "cron">[];
  readonly away: readonly ServerAway[];
  /** Between 0 and 1. */
  readonly random: () => number;
}

/** A process that was started for a time of a schedule. */
export interface StartedTime {
  readonly schedule: string;
  readonly dueMs: number;
  readonly atMs: number;
}

export interface ServerWorld {
  readonly clock: FakeClock;
  readonly started: readonly StartedTime[];
  /** The times that came to an end, one entry for each time that this was written. */
  readonly done: readonly Omit<StartedTime, "atMs">[];
  /** Number of workers that have died. */
  readonly deaths: () => number;
  /** Keeps a worker running until `stop` aborts; one that dies is started again. */
  keepWorker(stop: AbortSignal): Promise<void>;
}

const SILENT_MS = 20_000;
const BEAT_MS = 5_000;
const PAUSE_MS = 5_000;
const MAX_RUN_MS = 40_000;
/** A supervisor of services waits so long before it starts a worker again. */
const RESTART_MS = 10_000;

/** Share of the calls that take long, and those in which the worker dies. */
const SLOW_SHARE = 0.01;
const MAX_SLOW_MS = 15_000;
const DEATH_SHARE = 0.0002;
/** A start that is written and not yet in the queue is the worst moment. */
const DEATH_SHARE_OF_ADD = 0.02;

/** No run has a period. */
const NO_PERIODS: WorkTools["memory"]["periods"] = {
  of: () => NO_PERIODS,
  read: async () => undefined,
  list: async () => new Map(),
  readMany: async () => new Map(),
  save: async () => false,
  remove: async () => false,
  listDue: async () => [],
};

/** A worker whose process may have died; nothing of it goes on then. */
interface Process {
  isDead: boolean;
  readonly die: () => void;
}

interface StoredJob {
  readonly store: number;
  readonly priority: number;
  job: JobRecord;
  attempt: number;
  heardMs: number | undefined;
}

export function createServerWorld(settings: WorldSettings): ServerWorld {
  const { startMs, away, random } = settings;
  const clock = createFakeClock(startMs);
  const schedules = new Map<string, ScheduleRecord>();
  for (let store = 1; store <= settings.stores; store += 1) {
    for (const { id, cron } of settings.schedules)
      schedules.set(`${store} ${id}`, toRecord(id, cron));
  }
  const jobs = new Map<string, StoredJob>();
  const busy = new Set<number>();
  const started: StartedTime[] = [];
  const done: Omit<StartedTime, "atMs">[] = [];
  const findAway = (): ServerAway | undefined =>
    away.find(({ fromMs, untilMs }) => fromMs <= clock.now() && clock.now() < untilMs);
  let deaths = 0;
  const never = new Promise<never>(() => undefined);
  /** Waits until the server can be reached, unless the process dies. */
  const reach = async (process: Process, deathShare = DEATH_SHARE): Promise<void> => {
    if (random() < SLOW_SHARE) await clock.sleep(Math.floor(random() * MAX_SLOW_MS));
    for (let now = findAway(); now !== undefined; now = findAway()) {
      await clock.sleep(now.untilMs - clock.now() + Math.floor(random() * 2_000));
    }
    if (!process.isDead && random() < deathShare) process.die();
    if (process.isDead) await never;
  };
  /** Whether the server goes before it has answered. */
  const isCut = (): boolean =>
    away.some(({ fromMs }) => fromMs > clock.now() && fromMs - clock.now() < 3_000);
  const call = async <Result>(
    process: Process,
    work: (isLost: boolean) => Result,
    deathShare?: number,
  ): Promise<Result> => {
    await reach(process, deathShare);
    if (isCut()) {
      work(true);
      await clock.sleep(3_000);
      await reach(process);
    }
    return work(false);
  };

  const listAll = (): ReadonlyMap<number, readonly ScheduleRecord[]> => {
    const all = new Map<number, ScheduleRecord[]>();
    for (const [key, record] of schedules) {
      const store = Number(key.split(" ")[0]);
      all.set(store, [...(all.get(store) ?? []), record]);
    }
    return all;
  };
  const change = (key: string, to: Partial<ScheduleRecord>): boolean => {
    const found = schedules.get(key);
    if (found === undefined) return false;
    if (to.progress?.state === "done" && found.progress?.state === "begun") {
      done.push({ schedule: key, dueMs: to.progress.dueMs });
    }
    schedules.set(key, { ...found, ...to });
    return true;
  };
  const hub = (process: Process, store: number): WorkTools["memory"]["schedules"] => ({
    storeKey: store,
    of: (other) => hub(process, other),
    list: async () => [],
    save: async () => undefined,
    remove: async () => false,
    async listAll() {
      await reach(process);
      return listAll();
    },
    async read(id) {
      await reach(process);
      return schedules.get(`${store} ${id}`);
    },
    async advance({ store: of, id, from }, to) {
      await reach(process);
      const key = `${of} ${id}`;
      const isSame = JSON.stringify(schedules.get(key)?.progress) === JSON.stringify(from);
      return isSame && change(key, { progress: to });
    },
    async update(id, to, assertHeld) {
      await reach(process);
      assertHeld?.().next();
      return change(`${store} ${id}`, to);
    },
  });

  /** Hands a job to a worker, which does not hear of it where the answer `isLost`. */
  const takeOne = (process: Process, found: StoredJob, isLost: boolean): TakenJob => {
    found.attempt += 1;
    found.heardMs = clock.now();
    const { attempt, store, job } = found;
    const keyOf = toOpenSync(store, job.key);
    const isHeld = (): boolean => jobs.get(keyOf)?.attempt === attempt;
    let isSettled = false;
    const beat = async (): Promise<void> => {
      for (;;) {
        await clock.sleep(BEAT_MS);
        await reach(process);
        if (process.isDead || isSettled || !isHeld()) return;
        found.heardMs = clock.now();
      }
    };
    if (!isLost) void beat();
    const again = (to: Partial<JobRecord>, pauseMs: number): void => {
      if (!isHeld()) return;
      found.job = { ...job, ...to, notBeforeMs: clock.now() + pauseMs };
      found.heardMs = undefined;
    };
    return {
      store,
      job: { ...job, isTaken: true },
      isHeld: () => call(process, isHeld),
      *assertHeld() {
        if (!isHeld()) throw new DatabaseError("E_LEASE_LOST", job.key);
        yield* [];
      },
      async end() {
        isSettled = true;
        await call(process, () => isHeld() && jobs.delete(keyOf));
      },
      async postpone({ pauseMs, ...to }) {
        isSettled = true;
        await call(process, () => again(to, pauseMs));
      },
      async [Symbol.asyncDispose]() {
        if (!isSettled) await call(process, () => again({}, 0));
        isSettled = true;
      },
    };
  };
  const isDue = ({ job, heardMs, store }: StoredJob): boolean => {
    if (busy.has(store)) return false;
    return heardMs === undefined
      ? job.notBeforeMs <= clock.now()
      : clock.now() - heardMs > SILENT_MS + PAUSE_MS;
  };
  const queueOf = (process: Process): JobQueue => ({
    storeKey: 1,
    isShared: true,
    nowMs: () => clock.now(),
    readStores: async (stores) => stores.map((_, at) => at + 1),
    listOpen: async () => [],
    read: async () => undefined,
    remove: async () => "none",
    listOpenSyncs: () => call(process, () => new Set(jobs.keys())),
    add: (added, store = 1) =>
      call(
        process,
        () => {
          const keyOf = toOpenSync(store, added.key);
          if (jobs.has(keyOf)) return;
          const times = { askedAtMs: clock.now(), notBeforeMs: clock.now() };
          const fresh = { failures: 0, failure: undefined, isTaken: false, result: undefined };
          const job = { ...added, ...times, ...fresh };
          const { priority = 0 } = added;
          jobs.set(keyOf, { store, priority, job, attempt: 0, heardMs: undefined });
        },
        DEATH_SHARE_OF_ADD,
      ),
    take: (max) =>
      call(process, (isLost) => {
        const due = [...jobs.values()].filter(isDue).toSorted((a, b) => b.priority - a.priority);
        const oneEach = new Map(due.toReversed().map((found) => [found.store, found]));
        return [...oneEach.values()].slice(0, max).map((one) => takeOne(process, one, isLost));
      }),
  });

  const keepWorker = async (stop: AbortSignal): Promise<void> => {
    while (!stop.aborted) {
      const died = Promise.withResolvers<void>();
      const process: Process = {
        isDead: false,
        die() {
          process.isDead = true;
          deaths += 1;
          died.resolve();
        },
      };
      await Promise.race([died.promise, runWorker(process, stop)]);
      if (process.isDead) await clock.sleep(RESTART_MS);
    }
  };
  const runWorker = async (process: Process, stop: AbortSignal): Promise<void> => {
    const own = {
      now: () => clock.now(),
      async sleep(ms: number, signal?: AbortSignal) {
        await clock.sleep(ms, signal);
        if (process.isDead) await never;
      },
    };
    const toolsOf = (store: number): WorkTools & AsyncDisposable => ({
      ...addressOf(store),
      clock: own,
      memory: {
        jobs: queueOf(process),
        notes: NO_NOTES,
        periods: NO_PERIODS,
        schedules: hub(process, store),
      },
      locks: {
        schedules: async () => ({ [Symbol.asyncDispose]: async () => undefined }),
        schedulesHolder: async () => undefined,
      },
      [Symbol.asyncDispose]: async () => undefined,
    });
    const stores = Array.from({ length: settings.stores }, (_, at): WorkStore => {
      const store = at + 1;
      return {
        ...addressOf(store),
        open: async () => toolsOf(store),
        startCommand(words) {
          const schedule = `${store} ${String(words.at(-1)).replace("schedule:", "")}`;
          const dueMs = schedules.get(schedule)?.progress?.dueMs ?? 0;
          started.push({ schedule, dueMs, atMs: clock.now() });
          busy.add(store);
          const run = async (): Promise<{ exit: number; document: undefined; errors: string }> => {
            await clock.sleep(1_000 + Math.floor(random() * MAX_RUN_MS));
            busy.delete(store);
            return { exit: 0, document: undefined, errors: "" };
          };
          const ended = run().then(async (end) => (process.isDead ? await never : end));
          return {
            pid: undefined,
            ended,
            onProgress: () => undefined,
            stop: () => undefined,
            kill: () => undefined,
          };
        },
      };
    });
    await runWork(toolsOf(1), stores, {
      command: "catalog worker",
      clock: own,
      kinds: new Set(["sync"]),
      lang: "tr",
      stop,
      stopsCommands: true,
      maxCommands: 4,
    });
  };
  return { clock, started, done, deaths: () => deaths, keepWorker };
}

const addressOf = (store: number): Pick<WorkTools, "baseUrl" | "storeId"> => ({
  baseUrl: "https://shop.example",
  storeId: `store-${store}`,
});

const NO_NOTES: WorkTools["memory"]["notes"] = {
  readNote: async () => undefined,
  listNotes: async () => [],
  saveNotes: async () => undefined,
  removeNotes: async () => 0,
};

const NEVER: ScheduleProgress | undefined = undefined;

const toRecord = (id: string, cron: string): ScheduleRecord => ({
  id,
  cron,
  feed: "/feed.csv",
  options: {},
  timeZone: "Europe/Istanbul",
  madeBy: "page",
  isSpread: false,
  state: "active",
  progress: NEVER,
  result: undefined,
  succeededAtMs: undefined,
  createdAtMs: 0,
  updatedAtMs: 0,
});
