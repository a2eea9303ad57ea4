/** Runs the schedules of one store, each sync as a process of its own. */

import { type Connection, tryLock } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { z } from "zod";

import type { ScheduleProgress, ScheduleRecord, ScheduleResult, TakenJob } from "./queue.ts";
import {
  countFrom,
  MAX_KILLED,
  RETRY_MS,
  type RunnableSchedule,
  runSchedules,
  type StartedEnd,
} from "./run-schedules.ts";
import type { WorkSlots } from "./run-work.ts";
import {
  countFailures,
  hasDoneItsJob,
  parseSyncOptions,
  rankOfFeed,
  toScheduleWord,
} from "./schedule-health.ts";
import {
  BUSY,
  type EndedCommand,
  KILLED,
  readCounts,
  readFailure,
  readFields,
  readRunId,
  type StartCommand,
  type StartedCommand,
  untilEnded,
} from "./start-command.ts";
import { openTimetable, spreadStart } from "./timetable.ts";

/** The members of a connection that schedules need. */
export interface ScheduleTools extends Pick<Connection, "baseUrl" | "storeId" | "clock"> {
  readonly memory: Pick<Connection["memory"], "schedules">;
  readonly locks: Pick<Connection["locks"], "schedules" | "schedulesHolder">;
}

/** What happens to the schedules. */
export type ScheduleEvent =
  | { readonly event: "leading" }
  /** Another process starts the syncs; this one takes over when it ends. */
  | { readonly event: "following" }
  | { readonly event: "waiting"; readonly next: ScheduleStart | undefined }
  | (ScheduleStart & { readonly event: "started"; readonly pid: number | undefined })
  | (ScheduleStart & {
      readonly event: "ended";
      readonly result: ScheduleResult;
      /** Whether the same time is tried again. */
      readonly isRetried: boolean;
    });

/** A start of a schedule. */
export interface ScheduleStart {
  readonly schedule: ScheduleRecord;
  readonly atMs: number;
}

interface RunStoreSchedulesOptions {
  /** Name of this program's command, for messages of other processes. */
  readonly command: string;
  readonly startCommand: StartCommand;
  /** Language of the syncs' messages, where a schedule has none. */
  readonly lang: Lang;
  readonly stop: AbortSignal;
  /**
   * Whether a sync under way is asked to stop with this process, and waited for. Otherwise it goes
   * on by itself.
   */
  readonly stopsSyncs: boolean;
  /** Places that the syncs share with other work. @default a sync starts at once */
  readonly slots?: WorkSlots | undefined;
  readonly onEvent?: ((event: ScheduleEvent) => void) | undefined;
}

interface RunnableRecord extends RunnableSchedule {
  readonly record: ScheduleRecord;
}

/**
 * Starts the store's syncs at their times until `stop` aborts, one after the other, as syncs of a
 * store exclude each other. Schedules of commands are left to their processes.
 */
export async function runStoreSchedules(
  tools: ScheduleTools,
  options: RunStoreSchedulesOptions,
): Promise<void> {
  const { schedules } = tools.memory;
  const { onEvent, stop } = options;
  await runSchedules<RunnableRecord>({
    clock: tools.clock,
    stop,
    schedules: {
      list: async () => (await schedules.list()).flatMap((record) => toRunnable(tools, record)),
      saveProgress: (id, progress) => schedules.update(id, { progress }),
    },
    lock: async () => {
      // Looking takes one statement, and trying a transaction of several.
      if ((await tools.locks.schedulesHolder()) !== undefined) return undefined;
      return await tryLock(() => tools.locks.schedules(options.command));
    },
    start: ({ record }, dueMs) => startInSlot(tools, options, { schedule: record, dueMs }),
    onLead: (leads) => onEvent?.({ event: leads ? "leading" : "following" }),
    onWait: (next) =>
      onEvent?.({
        event: "waiting",
        next: next && { schedule: next.schedule.record, atMs: next.atMs },
      }),
  });
}

/** Nothing for the schedule of a command. */
function toRunnable(tools: ScheduleTools, record: ScheduleRecord): readonly RunnableRecord[] {
  if (record.madeBy === "command") return [];
  const { id, cron, timeZone, state, progress } = record;
  const delayMs = readDelay({ ...tools, nowMs: tools.clock.now() }, record);
  const when = { delayMs, rank: rankOfFeed(record) };
  return [{ id, cron, timeZone, state, progress, record, ...when }];
}

/** The store of a schedule, and the present time. */
interface DelayTools extends Pick<Connection, "baseUrl" | "storeId"> {
  readonly nowMs: number;
}

/** How long after its times the schedule starts; 0 for one that keeps to them. */
export function readDelay(
  { baseUrl, storeId, nowMs }: DelayTools,
  { id, cron, timeZone, isSpread }: ScheduleRecord,
): number {
  const timetable = isSpread ? openTimetable(cron, timeZone) : undefined;
  if (timetable === undefined) return 0;
  return spreadStart(`${baseUrl} ${storeId} ${id}`, timetable, nowMs);
}

/** When the schedule starts next; `undefined` for a pattern that cannot be read. */
export function readNextStart(
  tools: Pick<ScheduleTools, "baseUrl" | "storeId" | "clock">,
  record: ScheduleRecord,
): number | undefined {
  const nowMs = tools.clock.now();
  const delayMs = readDelay({ ...tools, nowMs }, record);
  // A time before those that count is not run, although its delayed start may be ahead.
  const fromMs = Math.max(nowMs - delayMs, countFrom(record.progress, nowMs - delayMs).dueMs);
  const next = openTimetable(record.cron, record.timeZone)?.next(fromMs);
  return next === undefined ? undefined : next + delayMs;
}

interface DueSchedule {
  readonly schedule: ScheduleRecord;
  readonly dueMs: number;
  /** Whether the time is over with it. @default the caller says so */
  readonly isDone?: boolean | undefined;
  /** Throws where another process is to say what the sync came to. @default nothing is asked */
  readonly assertHeld?: (() => ReturnType<TakenJob["assertHeld"]>) | undefined;
}

async function startInSlot(
  tools: ScheduleTools,
  options: RunStoreSchedulesOptions,
  due: DueSchedule,
): Promise<StartedEnd> {
  const { slots, stop } = options;
  const start = (): Promise<StartedEnd> => startScheduled(tools, options, due);
  if (slots === undefined) return await start();
  // The time of a sync that had no place stays open, as the loop sees that it was stopped.
  return (await slots.run("sync", stop, start)) ?? "ended";
}

async function startScheduled(
  tools: ScheduleTools,
  options: RunStoreSchedulesOptions,
  { schedule, dueMs }: DueSchedule,
): Promise<StartedEnd> {
  const { stop, stopsSyncs, onEvent } = options;
  const started = startSync(options, schedule);
  const start = { schedule, atMs: dueMs };
  onEvent?.({ ...start, event: "started", pid: started.pid });
  const ended = await untilEnded(started, { stop, stopsCommands: stopsSyncs });
  if (ended === undefined || stop.aborted) return "ended";
  const result = await recordSync(tools, { schedule, dueMs }, ended);
  const end = judge(ended);
  onEvent?.({ ...start, event: "ended", result, isRetried: end !== "ended" });
  return end;
}

interface StartSyncOptions extends Pick<RunStoreSchedulesOptions, "startCommand" | "lang"> {
  /** Name of a guard that this sync alone skips. @default none but those of the schedule */
  readonly allow?: string | undefined;
  /** Takes a feed whose form has changed. @default false */
  readonly acceptsChange?: boolean | undefined;
}

/** Starts one sync of a schedule. Its address is not on the command line. */
export function startSync(
  { startCommand, lang, allow, acceptsChange = false }: StartSyncOptions,
  schedule: ScheduleRecord,
): StartedCommand {
  const { lang: own = lang } = parseSyncOptions(schedule.options);
  const allowed = allow === undefined ? [] : [`--allow=${allow}`];
  const accepted = acceptsChange ? ["--accept-change"] : [];
  const flags = [`--lang=${String(own)}`, ...allowed, ...accepted];
  return startCommand(["sync", ...flags, "--", toScheduleWord(schedule.id)]);
}

/** The members of a connection that a sync of the queue needs. */
interface SyncJobTools extends Pick<ScheduleTools, "clock"> {
  readonly memory: Pick<Connection["memory"], "schedules">;
}

interface SyncJobOptions extends Pick<
  RunStoreSchedulesOptions,
  "startCommand" | "lang" | "stop" | "stopsSyncs"
> {
  readonly onEvent?: ((event: ScheduleEvent) => void) | undefined;
}

const syncSpecSchema = z.object({ dueMs: z.number() });

/** Does one sync that was left to the workers, and settles its job unless it was stopped. */
export async function doSyncJob(
  tools: SyncJobTools,
  { startCommand, lang, stop, stopsSyncs, onEvent }: SyncJobOptions,
  taken: TakenJob,
): Promise<void> {
  const { job } = taken;
  const { schedules } = tools.memory;
  const { dueMs } = syncSpecSchema.parse(job.spec);
  const schedule = await schedules.read(job.key);
  // The end was written, and its worker died before it could say so; or a person has set other times.
  const isOpen = schedule?.progress?.dueMs === dueMs && schedule.progress.state === "begun";
  if (!isOpen || schedule.state === "paused") {
    await taken.end(NOTHING_LEFT);
    return;
  }
  const started = startSync({ startCommand, lang }, schedule);
  const start = { schedule, atMs: dueMs };
  onEvent?.({ ...start, event: "started", pid: started.pid });
  const ended = await untilEnded(started, { stop, stopsCommands: stopsSyncs });
  if (ended === undefined || stop.aborted || !(await taken.isHeld())) return;
  const { result, isRetried } = await settleSync(tools, taken, { schedule, dueMs, ended });
  onEvent?.({ ...start, event: "ended", result, isRetried });
}

interface EndedSync extends DueSchedule {
  readonly ended: EndedCommand;
}

/** Stores what the sync came to, and ends its job or leaves it to another attempt. */
async function settleSync(
  tools: SyncJobTools,
  taken: TakenJob,
  { schedule, dueMs, ended }: EndedSync,
): Promise<{ readonly result: ScheduleResult; readonly isRetried: boolean }> {
  const end = judge(ended);
  const failures = taken.job.failures + (end === "killed" ? 1 : 0);
  const isRetried = end !== "ended" && failures < MAX_KILLED;
  const due = { schedule, dueMs, isDone: !isRetried, assertHeld: () => taken.assertHeld() };
  const result = await recordSync(tools, due, ended);
  const { exit, code, message } = result;
  if (isRetried) await taken.postpone({ pauseMs: RETRY_MS, failures, failure: undefined });
  else await taken.end({ exit, code, message });
  return { result, isRetried };
}

const NOTHING_LEFT = { exit: 0, code: null, message: null } as const;

function judge({ exit }: EndedCommand): StartedEnd {
  if (exit === BUSY) return "locked";
  return exit === KILLED ? "killed" : "ended";
}

/** Exit codes of syncs that took the feed: all rows, or all but some. */
const TAKEN: ReadonlySet<number> = new Set([0, 5]);

/** Stores what a sync came to. */
export async function recordSync(
  { memory, clock }: Pick<ScheduleTools, "memory" | "clock">,
  { schedule, dueMs, isDone = false, assertHeld }: DueSchedule,
  ended: EndedCommand,
): Promise<ScheduleResult> {
  const { exit } = ended;
  const endedAtMs = clock.now();
  const failure = readFailure(ended, TAKEN);
  const isGood = hasDoneItsJob(exit, readCounts(ended));
  const outcome = {
    dueMs,
    endedAtMs,
    exit,
    run: readRunId(ended),
    fields: readFields(ended),
    ...failure,
  };
  const rest = isDone ? { progress: { dueMs, state: "done" } as const } : {};
  return await storeResult(memory.schedules, schedule.id, outcome, { isGood, rest, assertHeld });
}

/** What a sync came to, in the process that ran it. */
export interface SyncEnd {
  readonly exit: number;
  readonly run: string | null;
  readonly code: string | null;
  readonly message?: string;
  readonly fields?: readonly string[] | undefined;
  /** Rows by what became of them. */
  readonly counts: unknown;
}

/** Stores what a sync of a schedule came to that ran in this process. */
export async function recordOwnSync(
  { memory, clock }: Pick<ScheduleTools, "memory" | "clock">,
  { id, dueMs }: Pick<ScheduleRecord, "id"> & Pick<DueSchedule, "dueMs">,
  { exit, run, code, message, fields, counts }: SyncEnd,
): Promise<ScheduleResult> {
  const ended = { exit, run, code, message: message ?? null, fields };
  const outcome = { dueMs, endedAtMs: clock.now(), ...ended };
  return await storeResult(memory.schedules, id, outcome, { isGood: hasDoneItsJob(exit, counts) });
}

interface StoringOptions extends Pick<DueSchedule, "assertHeld"> {
  /** Whether the sync has done its job. */
  readonly isGood: boolean;
  /** What is stored with it. @default nothing */
  readonly rest?: { readonly progress?: ScheduleProgress };
}

/** Stores the result of a sync, with the number of syncs in a row that did not do their job. */
async function storeResult(
  schedules: Pick<ScheduleTools["memory"]["schedules"], "read" | "update">,
  id: string,
  outcome: Omit<ScheduleResult, "failures">,
  { isGood, rest, assertHeld }: StoringOptions,
): Promise<ScheduleResult> {
  const before = (await schedules.read(id))?.result;
  // A sync that met the lock of the store is tried again, and says nothing of the feed.
  const result =
    outcome.exit === BUSY
      ? {
          ...outcome,
          fields: before?.fields,
          latestRun: before?.latestRun,
          failures: before?.failures ?? 0,
          failingSinceMs: before?.failingSinceMs,
        }
      : countFailures(before, outcome, isGood);
  const succeeded = isGood ? { succeededAtMs: outcome.endedAtMs } : {};
  await schedules.update(id, { result, ...succeeded, ...rest }, assertHeld);
  return result;
}
