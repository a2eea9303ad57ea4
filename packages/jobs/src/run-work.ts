/**
 * Does the work of stores, each piece of it as a process of its own: what their schedules say, and
 * what was left to the workers. Work that is under way is in the queue and nothing else: it is done
 * when the queue says so, so a worker that dies leaves it to the next one.
 */

import type { Clock } from "@catalog/clock";
import { type Connection, DatabaseError, toStoreAddress } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { z } from "zod";

import { readFailure, untilEnded } from "./command-end.ts";
import { type JobEnd, judgeAttempt, STOPPED } from "./judge-attempt.ts";
import { queueSyncs } from "./queue-syncs.ts";
import type { JobKey, JobResult, TakenJob } from "./queue.ts";
import { doSyncJob, runStoreSchedules, type ScheduleEvent } from "./run-store-schedules.ts";
import type { StartCommand } from "./start-command.ts";
import { forgetStopRequest, readStopRequest, watchStopRequest } from "./stop-request.ts";
import type { WorkKind, WorkSlots } from "./work-slots.ts";

/** What happens to a queued run. */
export type JobEvent =
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
  readonly memory: Pick<Connection["memory"], "jobs" | "notes" | "schedules">;
  readonly locks: Pick<Connection["locks"], "schedules" | "schedulesHolder">;
}

/** The members of a connection that a job needs. */
type JobTools = Pick<WorkTools, "clock" | "memory">;

/** A store whose work is done. */
export interface WorkStore extends Pick<Connection, "baseUrl" | "storeId"> {
  readonly startCommand: StartCommand;
  readonly onEvent?: ((event: JobEvent | ScheduleEvent) => void) | undefined;
  /** Opens the store. On a server none is opened, as its work is in the queue of all stores. */
  open(): Promise<WorkTools & AsyncDisposable>;
}

export interface WorkOptions {
  /** Name of this program's command, for messages of other processes. */
  readonly command: string;
  readonly clock: Clock;
  readonly kinds: ReadonlySet<WorkKind>;
  /** Language of the commands' messages, where nothing else is stored. */
  readonly lang: Lang;
  /** Ends the work; what is under way stays open. */
  readonly stop: AbortSignal;
  /**
   * Whether a command under way is asked to stop as well, and waited for. Otherwise it goes on by
   * itself.
   */
  readonly stopsCommands: boolean;
  readonly slots: WorkSlots;
  /**
   * Command whose processes are left the work of a server's store where one of them serves it: they
   * see the files that its feeds name. @default it is shared with them
   */
  readonly yieldsTo?: string | undefined;
}

/** Does the work of stores until `stop` aborts; `first` is one of them, which is open. */
export async function runWork(
  first: WorkTools,
  stores: readonly WorkStore[],
  options: WorkOptions,
): Promise<void> {
  await (first.memory.jobs.isShared
    ? workFromServer(first, stores, options)
    : workFromFiles(stores, options));
}

/** Every store has a loop of its own for its schedules, and a queue of its own. */
async function workFromFiles(stores: readonly WorkStore[], options: WorkOptions): Promise<void> {
  const { kinds, stopsCommands: stopsSyncs } = options;
  await using closing = new AsyncDisposableStack();
  const opened: OpenedStore[] = [];
  for (const store of stores) opened.push({ store, tools: closing.use(await store.open()) });
  const takeAll = async (max: number): Promise<readonly StoreJob[]> => {
    const found: StoreJob[] = [];
    for (const { store, tools } of opened) {
      const jobs = await tools.memory.jobs.take(max - found.length, { kinds, stores: [] });
      found.push(...jobs.map((taken) => ({ store, tools, taken })));
    }
    return found;
  };
  await together(options, (own) => [
    ...(kinds.has("apply") ? [doJobs(takeAll, own)] : []),
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
  options: WorkOptions,
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
    const jobs = await memory.jobs.take(max, { kinds, stores: keys });
    return jobs.flatMap((taken) => {
      const store = byKey.get(taken.store);
      if (store === undefined) return [];
      const schedules = memory.schedules.of(taken.store);
      return [{ store, tools: { ...first, memory: { ...memory, schedules } }, taken }];
    });
  };
  await using _lock = kinds.has("sync") ? await locks.schedules(command, keys) : undefined;
  await together(options, (own) => [
    doJobs(takeAll, own),
    ...(kinds.has("sync") ? [queueSyncs(numbered, { memory, clock, stop: own.stop })] : []),
  ]);
}

/** Does all works. One that fails ends the others as well; rejects with its error. */
async function together(
  options: WorkOptions,
  begin: (options: WorkOptions) => readonly Promise<void>[],
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
  options: WorkOptions,
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
async function doJob({ store, tools, taken }: StoreJob, options: WorkOptions): Promise<void> {
  await using held = taken;
  const { kind } = held.job;
  const { stop, stopsCommands: stopsSyncs } = options;
  try {
    await options.slots.run(kind, stop, async () => {
      if (kind === "apply") await sendRun(store, tools, options, held);
      else await doSyncJob(tools, { ...options, ...store, stopsSyncs }, held);
    });
  } catch (error) {
    // That worker says what became of it.
    if (!(error instanceof DatabaseError && error.code === "E_LEASE_LOST")) throw error;
  }
}

/** Sends a run by a command, and settles its job by the command's end. */
async function sendRun(
  { startCommand, onEvent }: WorkStore,
  tools: JobTools,
  { lang, stop, stopsCommands }: WorkOptions,
  taken: TakenJob,
): Promise<void> {
  const { job } = taken;
  // Asked for while a worker had the job that has died since.
  if ((await readStopRequest(tools, job.key)) !== undefined) {
    await settle(tools, taken, { isOver: true, result: STOPPED });
    return;
  }
  const { lang: own = lang } = specSchema.safeParse(job.spec).data ?? {};
  const startedMs = tools.clock.now();
  const started = startCommand([
    "resume",
    "--queued",
    "--no-files",
    `--lang=${own}`,
    "--",
    job.key,
  ]);
  onEvent?.({ event: "started", job, pid: started.pid });
  using watch = watchStopRequest(tools, job.key, { stop });
  const ended = await untilEnded(started, { stop: watch.signal, stopsCommands });
  // Of a job that another worker has taken meanwhile, that worker tells the end.
  if (ended === undefined || stop.aborted || !(await taken.isHeld())) return;
  const end = judgeAttempt({
    result: { exit: ended.exit, ...readFailure(ended, EXPECTED) },
    isStopAsked: (await readStopRequest(tools, job.key)) !== undefined,
    lastedMs: tools.clock.now() - startedMs,
    before: job,
  });
  await settle(tools, taken, end);
  onEvent?.({ event: "ended", job, result: end.result, isRetried: !end.isOver });
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
  await forgetStopRequest(tools, taken.job.key);
}
