/** The times of a cron pattern in a time zone. */

import { InputError } from "@catalog/i18n";
import { Cron } from "croner";

/** The times of a pattern, in a time zone. */
export interface Timetable {
  /** The first time after this moment; `undefined` where there is none. */
  next(afterMs: number): number | undefined;
  /** The latest time after `doneMs` up to `nowMs`; earlier missed ones are left out. */
  findDue(doneMs: number, nowMs: number): number | undefined;
}

/** Reads a cron pattern of five fields, or a name such as `@hourly`. Throws {@link InputError}. */
export function createTimetable(pattern: string, timeZone: string): Timetable {
  assertZone(timeZone);
  const cron = openCron(pattern.trim(), timeZone);
  // A caller that waits asks for the same time again and again, and the answer takes a while.
  let last: { readonly afterMs: number; readonly found: number | undefined } | undefined;
  const next = (afterMs: number): number | undefined => {
    if (last?.afterMs !== afterMs) {
      last = { afterMs, found: cron.nextRun(new Date(afterMs))?.getTime() };
    }
    return last.found;
  };
  return { next, findDue: (doneMs, nowMs) => findDue(next, doneMs, nowMs) };
}

/**
 * Reads a stored pattern; `undefined` for one that this version cannot read, which must not stop
 * the other schedules.
 */
export function openTimetable(pattern: string, timeZone: string): Timetable | undefined {
  try {
    return createTimetable(pattern, timeZone);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
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
      tr: `"${pattern}" bir cron deseni değil (dakika saat gün ay haftanın-günü). Örneğin her 15 dakikada bir: "*/15 * * * *".`,
      en: `"${pattern}" is no cron pattern (minute hour day month weekday). For example every 15 minutes: "*/15 * * * *".`,
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

const DAY_MS = 86_400_000;

function findDue(nextAfter: Timetable["next"], doneMs: number, nowMs: number): number | undefined {
  const first = nextAfter(doneMs);
  if (first === undefined || first > nowMs) return undefined;
  let due: number | undefined;
  // Only the last day is searched, as a long pause may hold too many times to list.
  const fromMs = Math.max(doneMs, nowMs - DAY_MS);
  for (let next = nextAfter(fromMs); next !== undefined && next <= nowMs;) {
    due = next;
    next = nextAfter(next);
  }
  return due ?? first;
}
