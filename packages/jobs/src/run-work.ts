/**
 * Does the work of stores, each piece of it as a process of its own: what their schedules say, and
 * what was left to the workers. Work that is under way is in the queue and nothing else: it is done
 * when the queue says so, so a worker that dies leaves it to the next one. Only the end of a run
 * ends its job: it was sent, or a person must decide, or has decided; whatever else happens is an
 * attempt that failed. Any number of processes may leave the starts of schedules to the queue: the
 * one that has first written a time down starts it, and of several missed times the last one is
 * run, once.
 */

import type { Clock } from "@catalog/clock";
import { type Connection, DatabaseError, toOpenSync, toStoreAddress } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import PQueue from "p-queue";
import { z } from "zod";

import { queuePeriods } from "./queue-periods.ts";
import type {
  JobAttempts,
  JobKey,
  JobKind,
  JobResult,
  ScheduleProgress,
  ScheduleRecord,
  TakenJob,
} from "./queue.ts";
import { countFrom, createTimetables, planStart, SCHEDULE_POLL_MS } from "./run-schedules.ts";
import {
  doSyncJob,
  readDelay,
  runStoreSchedules,
  type ScheduleEvent,
  type ScheduleStart,
} from "./run-store-schedules.ts";
import { rankOfFeed } from "./schedule-health.ts";
import {
  BUSY,
  forgetStopRequest,
  readFailure,
  readStopRequest,
  type StartCommand,
  untilEnded,
  watchStopRequest,
} from "./start-command.ts";

/**
 * What is waited for comes first: what was promised for a time, then stock and prices, then
 * products.
 */
const PRIORITIES = { undo: 3, start: 2, sync: 1, apply: 0 } as const satisfies Record<
  JobKind,
  number
>;

/** Kinds of work that processes do: `period` sends and takes back runs at their times. */
type WorkKind = "apply" | "period" | "sync";

const JOB_KINDS: Readonly<Record<WorkKind, readonly JobKind[]>> = {
  apply: ["apply"],
  period: ["start", "undo"],
  sync: ["sync"],
};

const toJobKinds = (kinds: ReadonlySet<WorkKind>): ReadonlySet<JobKind> =>
  new Set([...kinds].flatMap((kind) => JOB_KINDS[kind]));

/** Takes a free place for some work, as soon as there is one. */
export interface WorkSlots {
  /** Number of places for which nothing waits. */
  free(): number;
  /** Runs the work; `undefined` where `stop` aborts while the work waits. */
  run<Result>(
    kind: JobKind,
    stop: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result | undefined>;
}

/** Creates `count` places, at least 1. */
function createWorkSlots(count: number): WorkSlots {
  const queue = new PQueue({ concurrency: count });
  return {
    free: () => Math.max(0, count - queue.pending - queue.size),
    // Work under way decides by itself how it stops.
    run: async (kind, stop, work) =>
      await queue.add(async () => (stop.aborted ? undefined : await work()), {
        priority: PRIORITIES[kind],
      }),
  };
}

/** What becomes of a job after an attempt. */
export type JobEnd =
  | { readonly isOver: true; readonly result: JobResult }
  | (JobAttempts & { readonly isOver: false; readonly result: JobResult });

/** An attempt that has ended. */
interface Attempt {
  readonly result: JobResult;
  /** Whether a person has asked for the run to stop. */
  readonly isStopAsked: boolean;
  readonly lastedMs: number;
  /** What became of the attempts before it. */
  readonly before: Pick<JobAttempts, "failures" | "failure">;
}

/** The end of a job that a person has stopped. */
const STOPPED: JobResult = {
  exit: 130,
  code: "E_INTERRUPTED",
  message: null,
};

/** Exit codes of a run that is finished: all rows, nothing that could be sent, or all but some. */
const FINISHED: ReadonlySet<number> = new Set([0, 3, 5]);

/** A run that stopped itself, so that a person decides how it continues. */
const NEEDS_PERSON: ReadonlySet<string | null> = new Set([
  "E_BREAKER",
  "E_CANARY",
  "E_TOO_MANY_REJECTED",
]);

/** Whether what has stopped a run waits for a person's decision. */
export const needsPerson = (code: string | null): boolean => NEEDS_PERSON.has(code);

/** Time before a store is tried again on which another process works, in milliseconds. */
const BUSY_PAUSE_MS = 5_000;

const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;

/** An attempt that lasted longer has got on, so that the pauses begin anew. */
const LONG_MS = 60_000;

/** Code of a run whose period has ended: nothing of it is sent any more. */
const PERIOD_OVER = "E_PERIOD_OVER";

/** Judges an attempt. */
export function judgeAttempt({ result, isStopAsked, lastedMs, before }: Attempt): JobEnd {
  const isFinished = FINISHED.has(result.exit) && result.code === null;
  const isLate = result.code === PERIOD_OVER;
  if (isFinished || isLate || needsPerson(result.code)) return { isOver: true, result };
  if (isStopAsked) return { isOver: true, result: result.exit === STOPPED.exit ? result : STOPPED };
  if (result.exit === BUSY) {
    const { failures, failure } = before;
    return { isOver: false, result, pauseMs: BUSY_PAUSE_MS, failures, failure };
  }
  const counted = lastedMs > LONG_MS ? 1 : before.failures + 1;
  return { isOver: false, result, pauseMs: toPause(counted), failures: counted, failure: result };
}

/** The pause after this many failures, at least 1: it doubles each time, up to five minutes. */
const toPause = (failures: number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));

/** A store whose schedules are started. */
interface QueuedStore extends Pick<Connection, "baseUrl" | "storeId"> {
  /** Number of the store in the database. */
  readonly storeKey: number;
  readonly onEvent?: ((event: ScheduleEvent) => void) | undefined;
}

interface QueueSyncsOptions {
  /** Reads and writes the schedules and the queue of all stores. */
  readonly memory: Pick<Connection["memory"], "schedules" | "jobs">;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}

/** Starts that are written down at the same time: as many as there are connections. */
const AT_ONCE = 4;

/** Does so for the stores until `stop` aborts. */
async function queueSyncs(
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
      else if (progress.state === "done" || !isQueued) await beginTime(memory, start);
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
async function beginTime(
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

/** What happens to the schedules and the queued runs of a store. */
export type WorkEvent = ScheduleEvent | JobEvent;

/** What happens to a queued run. */
type JobEvent =
  | { readonly event: "started"; readonly job: JobKey; readonly pid: number | undefined }
  | {
      readonly event: "ended";
      readonly job: JobKey;
      readonly result: JobResult;
      /** Whether the job is tried again. */
      readonly isRetried: boolean;
    };

/** The members of a connection that work needs. */
export interface WorkTools extends Pick<Connection, "baseUrl" | "storeId" | "clock"> {
  readonly memory: Pick<Connection["memory"], "jobs" | "notes" | "periods" | "schedules">;
  readonly locks: Pick<Connection["locks"], "schedules" | "schedulesHolder">;
}

/** The members of a connection that a job needs. */
type JobTools = Pick<WorkTools, "clock" | "memory">;

/** A store whose work is done. */
export interface WorkStore extends Pick<Connection, "baseUrl" | "storeId"> {
  readonly startCommand: StartCommand;
  readonly onEvent?: ((event: WorkEvent) => void) | undefined;
  /** Opens the store. On a server none is opened, as its work is in the queue of all stores. */
  open(): Promise<WorkTools & AsyncDisposable>;
}

interface WorkOptions {
  /** Name of this program's command, for messages of other processes. */
  readonly command: string;
  readonly clock: Clock;
  readonly kinds: ReadonlySet<WorkKind>;
  /** Language of the commands' messages, where nothing else is stored. */
  readonly lang: Lang;
  /** Ends the work; what is under way stays open. */
  readonly stop: AbortSignal;
  /**
   * Whether a command under way is asked to stop as well, and waited for. Otherwise it continues by
   * itself.
   */
  readonly stopsCommands: boolean;
  /** Pieces of work at a time, at least 1. */
  readonly maxCommands: number;
  /**
   * Command whose processes are left the work of a server's store where one of them serves it: they
   * see the files that its feeds name. @default it is shared with them
   */
  readonly yieldsTo?: string | undefined;
}

interface SlottedOptions extends WorkOptions {
  readonly slots: WorkSlots;
}

/** Does the work of stores until `stop` aborts; `first` is one of them, which is open. */
export async function runWork(
  first: WorkTools,
  stores: readonly WorkStore[],
  options: WorkOptions,
): Promise<void> {
  const slotted = { ...options, slots: createWorkSlots(options.maxCommands) };
  await (first.memory.jobs.isShared
    ? workFromServer(first, stores, slotted)
    : workFromFiles(stores, slotted));
}

/** Every store has a loop of its own for its schedules, and a queue of its own. */
async function workFromFiles(stores: readonly WorkStore[], options: SlottedOptions): Promise<void> {
  const { kinds, clock, stopsCommands: stopsSyncs } = options;
  const jobKinds = toJobKinds(kinds);
  await using closing = new AsyncDisposableStack();
  const opened: OpenedStore[] = [];
  for (const store of stores) opened.push({ store, tools: closing.use(await store.open()) });
  const takeAll = async (max: number): Promise<readonly StoreJob[]> => {
    const found: StoreJob[] = [];
    for (const { store, tools } of opened) {
      const jobs = await tools.memory.jobs.take(max - found.length, {
        kinds: jobKinds,
        stores: [],
      });
      found.push(...jobs.map((taken) => ({ store, tools, taken })));
    }
    return found;
  };
  await together(options, (own) => [
    ...(kinds.has("apply") || kinds.has("period") ? [doJobs(takeAll, own)] : []),
    ...(kinds.has("period")
      ? opened.map(({ tools: { memory } }) =>
          queuePeriods(memory, [memory.jobs.storeKey], { clock, stop: own.stop }),
        )
      : []),
    ...(kinds.has("sync")
      ? opened.map(({ store, tools }) => runStoreSchedules(tools, { ...own, ...store, stopsSyncs }))
      : []),
  ]);
}

interface OpenedStore {
  readonly store: WorkStore;
  readonly tools: WorkTools;
}

/** One queue has the work of all stores, and what their schedules say is put into it. */
async function workFromServer(
  first: WorkTools,
  stores: readonly WorkStore[],
  options: SlottedOptions,
): Promise<void> {
  const { memory, locks } = first;
  const { command, kinds, clock, yieldsTo } = options;
  const isLeft = async (): Promise<boolean> =>
    yieldsTo !== undefined && (await locks.schedulesHolder())?.command === yieldsTo;
  const keys = await memory.jobs.readStores(stores);
  const numbered = stores.map((store, at) => ({
    ...store,
    ...toStoreAddress(store),
    storeKey: keys[at] ?? 0,
  }));
  const byKey = new Map(numbered.map((store) => [store.storeKey, store]));
  const takeAll = async (max: number): Promise<readonly StoreJob[]> => {
    if (await isLeft()) return [];
    const jobs = await memory.jobs.take(max, { kinds: toJobKinds(kinds), stores: keys });
    return jobs.flatMap((taken) => {
      const store = byKey.get(taken.store);
      if (store === undefined) return [];
      const schedules = memory.schedules.of(taken.store);
      const periods = memory.periods.of(taken.store);
      return [{ store, tools: { ...first, memory: { ...memory, schedules, periods } }, taken }];
    });
  };
  await using _lock = kinds.has("sync") ? await locks.schedules(command, keys) : undefined;
  await together(options, (own) => [
    doJobs(takeAll, own),
    ...(kinds.has("period") ? [queuePeriods(memory, keys, { clock, stop: own.stop })] : []),
    ...(kinds.has("sync") ? [queueSyncs(numbered, { memory, clock, stop: own.stop })] : []),
  ]);
}

/** Does all works. One that fails ends the others as well; rejects with its error. */
async function together(
  options: SlottedOptions,
  begin: (options: SlottedOptions) => readonly Promise<void>[],
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([options.stop, failed.signal]);
  const ends = begin({ ...options, stop }).map(async (work) => {
    try {
      await work;
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  const failure = (await Promise.allSettled(ends)).find(({ status }) => status === "rejected");
  if (failure?.status === "rejected") throw failure.reason;
}

interface StoreJob {
  readonly store: WorkStore;
  readonly tools: JobTools;
  readonly taken: TakenJob;
}

/** Longest wait after which jobs are looked for again, in milliseconds. */
const POLL_MS = 2_000;

/** Takes jobs and does them until `stop` aborts; those under way are waited for. */
async function doJobs(
  takeAll: (max: number) => Promise<readonly StoreJob[]>,
  options: SlottedOptions,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([options.stop, failed.signal]);
  const underWay = new Set<Promise<void>>();
  let ended = Promise.withResolvers<void>();
  const begin = (job: StoreJob): void => {
    const work = doJob(job, { ...options, stop })
      .catch((error: unknown) => failed.abort(error))
      .finally(() => {
        underWay.delete(work);
        ended.resolve();
      });
    underWay.add(work);
  };
  try {
    while (!stop.aborted) {
      ended = Promise.withResolvers();
      for (const job of await takeAll(options.slots.free())) begin(job);
      // A place that is free again is used at once.
      await Promise.race([
        ended.promise,
        options.clock.sleep(POLL_MS, stop).catch(() => undefined),
      ]);
    }
  } catch (error) {
    // The commands under way are asked to stop, and their work is left to others.
    failed.abort(error);
  } finally {
    await Promise.all(underWay);
  }
  failed.signal.throwIfAborted();
}

const specSchema = z.object({ lang: z.enum(["tr", "en"]).optional() });

/** Does a job in a free place, unless another worker has taken it meanwhile. */
async function doJob({ store, tools, taken }: StoreJob, options: SlottedOptions): Promise<void> {
  await using held = taken;
  const { kind } = held.job;
  const { stop, stopsCommands: stopsSyncs } = options;
  try {
    await options.slots.run(kind, stop, async () => {
      if (kind !== "sync") await sendRun(store, tools, options, held);
      else await doSyncJob(tools, { ...options, ...store, stopsSyncs }, held);
    });
  } catch (error) {
    // That worker says what became of it.
    if (!(error instanceof DatabaseError && error.code === "E_LEASE_LOST")) throw error;
  }
}

/** Sends a run, or takes it back, by a command, and settles its job by the command's end. */
async function sendRun(
  { startCommand, onEvent }: WorkStore,
  tools: JobTools,
  { lang, stop, stopsCommands }: SlottedOptions,
  taken: TakenJob,
): Promise<void> {
  const { job } = taken;
  // Asked for while a worker had the job that has died since.
  if (await isStopAsked(tools, job)) {
    await settle(tools, taken, { isOver: true, result: STOPPED });
    return;
  }
  const startedMs = tools.clock.now();
  const started = startCommand(toWords(job, lang));
  onEvent?.({ event: "started", job, pid: started.pid });
  using watch = job.kind === "undo" ? undefined : watchStopRequest(tools, job.key, { stop });
  const ended = await untilEnded(started, { stop: watch?.signal ?? stop, stopsCommands });
  // Of a job that another worker has taken meanwhile, that worker reports the end.
  if (ended === undefined || stop.aborted || !(await taken.isHeld())) return;
  const end = await judgeEnd(tools, job, {
    result: { exit: ended.exit, ...readFailure(ended, EXPECTED) },
    lastedMs: tools.clock.now() - startedMs,
  });
  await settle(tools, taken, end);
  onEvent?.({ event: "ended", job, result: end.result, isRetried: !end.isOver });
}

function toWords({ kind, key, spec }: TakenJob["job"], lang: Lang): readonly string[] {
  const { lang: own = lang } = specSchema.safeParse(spec).data ?? {};
  const words = kind === "undo" ? ["undo", "--queued", "--yes"] : ["resume", "--queued"];
  return [...words, "--no-files", `--lang=${own}`, "--", key];
}

/** A wish to stop the sending of a run says nothing about its being taken back. */
const isStopAsked = async (tools: JobTools, { kind, key }: JobKey): Promise<boolean> =>
  kind !== "undo" && (await readStopRequest(tools, key)) !== undefined;

async function judgeEnd(
  tools: JobTools,
  job: TakenJob["job"],
  ended: Pick<Attempt, "result" | "lastedMs">,
): Promise<JobEnd> {
  if (job.kind === "undo" && (await isPeriodOver(tools, job.key))) {
    return { isOver: true, result: ended.result };
  }
  return judgeAttempt({ ...ended, isStopAsked: await isStopAsked(tools, job), before: job });
}

/** The command itself writes down what has become of an end, so that none is carried out twice. */
async function isPeriodOver({ memory }: JobTools, run: string): Promise<boolean> {
  const { end, endAtMs } = (await memory.periods.read(run))?.period ?? {};
  // A person may have taken the end away meanwhile.
  return end !== undefined || endAtMs === undefined;
}

/** Exit codes of commands that need no words: all rows, none that could be sent, or all but some. */
const EXPECTED: ReadonlySet<number> = new Set([0, 3, 5]);

/** Ends the job, or moves it to another attempt. */
async function settle(tools: JobTools, taken: TakenJob, end: JobEnd): Promise<void> {
  if (!end.isOver) {
    await taken.postpone(end);
    return;
  }
  await taken.end(end.result);
  // A wish to stop was about this job; the run may be queued again.
  if (taken.job.kind !== "undo") await forgetStopRequest(tools, taken.job.key);
}
