/**
 * Runs a task at the times of a cron pattern. Starts and ends are stored, so that a time is not run
 * twice after a crash or restart; of several missed times the last one is run, once; and an
 * interrupted time is started again.
 */

import type { Clock } from "@catalog/clock";
import { InputError } from "@catalog/i18n";
import { Cron } from "croner";
import { z } from "zod";

/** The times of a pattern, in a time zone. */
export interface Timetable {
  /** The first time after this moment; `undefined` where there is none. */
  next(afterMs: number): number | undefined;
}

/** Reads a cron pattern of five fields, or a name such as `@hourly`. Throws {@link InputError}. */
export function createTimetable(pattern: string, timeZone: string): Timetable {
  assertZone(timeZone);
  const cron = openCron(pattern.trim(), timeZone);
  return { next: (afterMs) => cron.nextRun(new Date(afterMs))?.getTime() };
}

function assertZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone }).format(0);
  } catch (error) {
    const message = {
      tr: `"${timeZone}" bilinen bir saat dilimi değil. Örneğin: Europe/Istanbul.`,
      en: `"${timeZone}" is no known time zone. For example: Europe/Istanbul.`,
    };
    throw new InputError(message, { cause: error });
  }
}

const FIELDS = 5;

function openCron(pattern: string, timezone: string): Cron {
  const fields = pattern.split(/\s+/u).length;
  try {
    // Seconds are refused, and so is a single date, which is no pattern.
    if (fields !== FIELDS && !pattern.startsWith("@")) throw new Error(`${fields} fields`);
    const cron = new Cron(pattern, { timezone, paused: true });
    if (cron.nextRun() === null) throw new Error("it never comes");
    return cron;
  } catch (error) {
    const message = {
      tr: `--every "${pattern}" bir cron deseni değil (dakika saat gün ay haftanın-günü). Örneğin her 15 dakikada bir: "*/15 * * * *".`,
      en: `--every "${pattern}" is no cron pattern (minute hour day month weekday). For example every 15 minutes: "*/15 * * * *".`,
    };
    throw new InputError(message, { cause: error });
  }
}

/** The next times of the timetable, for people. */
export function listNext(timetable: Timetable, afterMs: number, max: number): readonly number[] {
  const times: number[] = [];
  let last = afterMs;
  while (times.length < max) {
    const next = timetable.next(last);
    if (next === undefined) break;
    times.push(next);
    last = next;
  }
  return times;
}

/** Progress of a schedule. */
export interface ScheduleRecord {
  readonly dueMs: number;
  readonly state: "begun" | "done";
}

/** Schema of the stored progress. */
export const scheduleNoteSchema: z.ZodType<ScheduleRecord> = z.object({
  dueMs: z.number(),
  state: z.enum(["begun", "done"]),
});

export interface ScheduleOptions {
  readonly timetable: Timetable;
  readonly clock: Clock;
  /** Storage that outlives the process. */
  readonly records: {
    read(): ScheduleRecord | undefined;
    save(note: ScheduleRecord): void;
  };
  /**
   * The task for a time. An error ends the schedule, and the next process starts the time again.
   */
  readonly run: (dueMs: number) => Promise<void>;
  /** Called before each wait, and repeatedly while it lasts. */
  readonly onWait?: ((nextMs: number) => void) | undefined;
  readonly stop: AbortSignal;
}

/** Longest single sleep, after which a suspended machine is noticed. */
const MAX_SLEEP_MS = 30_000;

/** Runs the schedule until `stop` aborts; a task under way is waited for. */
export async function runOnSchedule(options: ScheduleOptions): Promise<void> {
  const { timetable, clock, records, run, stop } = options;
  while (!stop.aborted) {
    const note = readNote(options);
    const dueMs = note.state === "begun" ? note.dueMs : findDue(timetable, note.dueMs, clock.now());
    if (dueMs === undefined) {
      if (!(await waitForNext(options, note))) return;
      continue;
    }
    records.save({ dueMs, state: "begun" });
    await run(dueMs);
    // The interrupted time stays open, so that the next process starts it again.
    if (stop.aborted) return;
    records.save({ dueMs, state: "done" });
  }
}

/**
 * A stored time further ahead than this means that the clock was put back; the schedule then counts
 * from the present time.
 */
const MAX_AHEAD_MS = 3_600_000;

function readNote({ records, clock }: ScheduleOptions): ScheduleRecord {
  const found = records.read();
  if (found !== undefined && found.dueMs - clock.now() <= MAX_AHEAD_MS) return found;
  const note = { dueMs: clock.now(), state: "done" } as const;
  records.save(note);
  return note;
}

/** Waits at most until the next time. Returns whether there is one and `stop` has not aborted. */
async function waitForNext(options: ScheduleOptions, { dueMs }: ScheduleRecord): Promise<boolean> {
  const { timetable, clock, stop, onWait } = options;
  const next = timetable.next(dueMs);
  if (next === undefined) return false;
  onWait?.(next);
  try {
    await clock.sleep(Math.min(Math.max(next - clock.now(), 1), MAX_SLEEP_MS), stop);
    return true;
  } catch (error) {
    if (stop.aborted) return false;
    throw error;
  }
}

const DAY_MS = 86_400_000;

/** The latest due time since the last one that was run; earlier missed times are skipped. */
function findDue(timetable: Timetable, doneMs: number, nowMs: number): number | undefined {
  let due: number | undefined;
  // Only the last day is searched, as a long pause may hold too many times to list.
  const fromMs = Math.max(doneMs, nowMs - DAY_MS);
  for (let next = timetable.next(fromMs); next !== undefined && next <= nowMs;) {
    due = next;
    next = timetable.next(next);
  }
  if (due !== undefined || fromMs === doneMs) return due;
  const early = timetable.next(doneMs);
  return early !== undefined && early <= nowMs ? early : undefined;
}
