/** Syncs at the times of a cron pattern until it is stopped. */

import type { Connection } from "@catalog/connection";
import { EXIT, printJson } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatDateTime, type Lang } from "@catalog/i18n";
import { nameOfFeed } from "@catalog/importer";
import {
  countFailures,
  createTimetable,
  hasDoneItsJob,
  listNext,
  rankOfFeed,
  readScheduleHealth,
  RETRY_MS,
  type RunnableSchedule,
  runSchedules,
  type RunSchedulesOptions,
  type ScheduleHealth,
  type ScheduleRecord,
  type StartedEnd,
  type SyncOptions,
  type Timetable,
} from "@catalog/jobs";

import type { CommandContext } from "../../context.ts";
import { describeFailure } from "./failure.ts";
import { type Outcome, toFailedOutcome } from "./outcome.ts";
import { nameSchedule, registerSchedule } from "./register-schedule.ts";
import { createStatusBoard, openStatusServer, type Status, type StatusBoard } from "./status.ts";
import { type OnceOptions, syncOnce } from "./sync-once.ts";
import { type Texts, textsFor } from "./texts.ts";

export interface ScheduleLoopOptions extends OnceOptions {
  readonly pattern: string;
  readonly timeZone: string;
  readonly healthPath: string | undefined;
  readonly statusPort: number | undefined;
  /** The options of the command line, which the page uses for a sync between the times. */
  readonly stored: SyncOptions;
  readonly onOutcome: (outcome: Outcome, status: Status) => Promise<void>;
}

/** Times listed before the first wait. */
const TIMES_SHOWN = 3;

/** A time that starts later than this counts as missed. */
const LATE_MS = 60_000;

/** Runs the schedule. Throws errors that the next time would repeat. */
export async function runScheduleLoop(
  context: CommandContext,
  connection: Connection,
  options: ScheduleLoopOptions,
): Promise<void> {
  const { terminal, clock, lang, stop } = context;
  const { feed, pattern, timeZone } = options;
  const texts = textsFor(lang);
  const timetable = createTimetable(pattern, timeZone);
  const id = nameSchedule(options);
  await using _lock = await connection.locks.schedule(id);
  const registered = { id, feed, cron: pattern, timeZone, options: options.stored };
  await registerSchedule(connection, registered);
  const { healthPath } = options;
  const judge = (schedule: ScheduleRecord): ScheduleHealth =>
    readScheduleHealth(schedule, { nowMs: clock.now() });
  const record = await connection.memory.schedules.read(id);
  if (record === undefined) throw new Error(`schedule ${id} was registered and is gone`);
  const health = judge(record);
  const board = createStatusBoard({ feed: nameOfFeed(feed), clock, healthPath, health });
  await using closing = new AsyncDisposableStack();
  if (options.statusPort !== undefined) {
    const server = closing.use(await openStatusServer(options.statusPort, () => board.read()));
    terminal.err(`${texts.status(server.url)}\n`);
  }
  const show = createTimeText(lang, timeZone);
  const times = listNext(timetable, clock.now(), TIMES_SHOWN).map(show);
  terminal.err(`${texts.next(times, timeZone)}\n`);
  const due = { ...options, id, board, texts, show, timetable };
  await runSchedules({
    clock,
    stop,
    schedules: onlyOne(connection, id, (schedule) => board.judge(judge(schedule))),
    lock: async () => LED,
    start: async (_, dueMs) => await runDue(context, connection, { ...due, dueMs }),
    onWait: (next) => board.update({ state: "waiting", next: toIso(next?.atMs) }),
  });
  board.update({ state: "stopped", next: null });
  terminal.err(`${texts.ended}\n`);
}

const PRICE_DELAY_MS = 5_000;

/** The lock of the schedule is held as long as this process runs it. */
const LED: AsyncDisposable = { [Symbol.asyncDispose]: async () => undefined };

/** The schedule of this process; none where it was removed. */
function onlyOne(
  { memory: { schedules } }: Connection,
  id: string,
  onRead: (schedule: ScheduleRecord) => void,
): RunSchedulesOptions<RunnableSchedule>["schedules"] {
  return {
    list: async () => {
      const found = await schedules.read(id);
      if (found === undefined) return [];
      onRead(found);
      // Another process may sync the stock of the store at the same time; it takes the lock first.
      return [{ ...found, delayMs: rankOfFeed(found) * PRICE_DELAY_MS }];
    },
    saveProgress: (_, progress) => schedules.update(id, { progress }),
  };
}

const toIso = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

const createTimeText =
  (lang: Lang, timeZone: string) =>
  (atMs: number): string => {
    const text = formatDateTime(atMs, lang, { ...DAY_AND_TIME, timeZone });
    // Turkish dates have dots, where the platform's short format has a slash.
    return lang === "tr" ? text.replace("/", ".") : text;
  };

const DAY_AND_TIME = {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
} as const;

interface DueSync extends ScheduleLoopOptions {
  /** Id of the schedule. */
  readonly id: string;
  readonly dueMs: number;
  readonly board: StatusBoard;
  readonly texts: Texts;
  readonly show: (ms: number) => string;
  readonly timetable: Timetable;
}

/** Runs the sync of one time; `locked` where another process works on the store, and it is tried again. */
async function runDue(
  context: CommandContext,
  connection: Connection,
  due: DueSync,
): Promise<StartedEnd> {
  const { terminal, clock } = context;
  const { dueMs, board, texts, show } = due;
  const isLate = clock.now() - dueMs > LATE_MS;
  terminal.err(`\n${isLate ? texts.late(show(dueMs)) : texts.due(show(dueMs))}\n`);
  board.update({ state: "syncing" });
  const outcome = await syncOrFail(context, connection, due);
  // An interrupted sync has no outcome; the next process starts this time again.
  if (context.stop.aborted) return "ended";
  if (outcome.exit === EXIT.busy) {
    const atMs = clock.now() + RETRY_MS;
    board.update({ state: "waiting", next: toIso(atMs) });
    if (!context.quiet) terminal.err(`${texts.busy(show(atMs))}\n`);
    return "locked";
  }
  const { state, exit, code, run, counts, unknownCodes } = outcome;
  const judged = await recordOutcome(connection, due, outcome);
  if (judged !== undefined) board.judge(judged);
  const next = due.timetable.next(clock.now());
  board.update({
    state: "waiting",
    next: toIso(next),
    last: {
      due: new Date(dueMs).toISOString(),
      finished: new Date(clock.now()).toISOString(),
      state,
      exit,
      code,
      run,
      counts,
      unknown_codes: unknownCodes,
    },
  });
  await due.onOutcome(outcome, board.read());
  if (next !== undefined && !context.quiet) terminal.err(`${texts.waiting(show(next))}\n`);
  return "ended";
}

/** Stores what the sync came to, and judges the schedule; `undefined` where it was removed. */
async function recordOutcome(
  { memory, clock }: Connection,
  { id, dueMs }: DueSync,
  { exit, run, code, message, counts, fields }: Outcome,
): Promise<ScheduleHealth | undefined> {
  const endedAtMs = clock.now();
  const before = await memory.schedules.read(id);
  const isGood = hasDoneItsJob(exit, counts);
  const outcome = { dueMs, endedAtMs, exit, run, code, message: message ?? null, fields };
  await memory.schedules.update(id, {
    result: countFailures(before?.result, outcome, isGood),
    ...(isGood && { succeededAtMs: endedAtMs }),
  });
  const now = await memory.schedules.read(id);
  return now && readScheduleHealth(now, { nowMs: clock.now() });
}

async function syncOrFail(
  context: CommandContext,
  connection: Connection,
  options: DueSync,
): Promise<Outcome> {
  const { terminal, lang, json, stop } = context;
  try {
    return await syncOnce(context, connection, options);
  } catch (error) {
    if (stop.aborted && error === stop.reason) return toFailedOutcome(130, "E_INTERRUPTED");
    const failure = describeFailure(error, { lang, texts: options.texts });
    if (failure === undefined) throw error;
    const { exit, code, text } = failure;
    terminal.err(`${wrapText(terminal.shown(text), { columns: terminal.columns - 1 })}\n`);
    if (json) {
      const document = { command: "sync", run: null, state: "failed", exit };
      printJson(terminal, { ...document, error: { code, message: text } });
    }
    return { ...toFailedOutcome(exit, code), message: text };
  }
}
