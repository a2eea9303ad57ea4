/**
 * The times of a cron pattern in a time zone, in words as well. Starts of schedules are spread, so
 * that not all stores call their servers at once.
 */

import { createHash } from "node:crypto";

import { InputError, type Lang } from "@catalog/i18n";
import { Cron } from "croner";

/** The times of a pattern, in a time zone. */
export interface Timetable {
  /** The first time after this moment; `undefined` where there is none. */
  next(afterMs: number): number | undefined;
  /** The latest time after `doneMs` up to `nowMs`; earlier missed ones are left out. */
  findDue(doneMs: number, nowMs: number): number | undefined;
  /** The first `max` times after this moment. */
  list(afterMs: number, max: number): readonly number[];
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
  return {
    next,
    findDue: (doneMs, nowMs) => findDue(next, doneMs, nowMs),
    list: (afterMs, max) => listNext(next, afterMs, max),
  };
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

function listNext(next: Timetable["next"], afterMs: number, max: number): readonly number[] {
  const times: number[] = [];
  for (let time = next(afterMs); time !== undefined && times.length < max; time = next(time)) {
    times.push(time);
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

interface Words {
  readonly minutes: (count: number) => string;
  readonly hours: (count: number) => string;
  readonly hourly: string;
  readonly hourlyAt: (minute: string) => string;
  readonly daily: (time: string) => string;
  readonly weekdays: (time: string) => string;
  readonly other: (pattern: string) => string;
}

const WORDS: Readonly<Record<Lang, Words>> = {
  tr: {
    minutes: (count) => (count === 1 ? "Her dakika" : `${count} dakikada bir`),
    hours: (count) => `${count} saatte bir`,
    hourly: "Saatte bir",
    hourlyAt: (minute) => `Her saat, :${minute} geçe`,
    daily: (time) => `Her gün ${time}`,
    weekdays: (time) => `Hafta içi her gün ${time}`,
    other: (pattern) => `Kendi deseni: ${pattern}`,
  },
  en: {
    minutes: (count) => (count === 1 ? "Every minute" : `Every ${count} minutes`),
    hours: (count) => `Every ${count} hours`,
    hourly: "Every hour",
    hourlyAt: (minute) => `Every hour at :${minute}`,
    daily: (time) => `Every day at ${time}`,
    weekdays: (time) => `Monday to Friday at ${time}`,
    other: (pattern) => `Own pattern: ${pattern}`,
  },
};

const STEP = /^\*\/(?<step>\d{1,2})$/u;
const EVERY_DAY = "* * *";
const NUMBER = /^\d{1,2}$/u;

/** Returns the words, such as “15 dakikada bir”. */
export function describeTimes(cron: string, lang: Lang): string {
  const words = WORDS[lang];
  const [minute = "", hour = "", ...days] = cron.trim().split(/\s+/u);
  if (cron.trim() === "@hourly") return words.hourly;
  if (days.join(" ") === EVERY_DAY && hour === "*") {
    const found = describeMinutes(minute, words);
    if (found !== undefined) return found;
  }
  return describeHours({ minute, hour, days: days.join(" ") }, words) ?? words.other(cron.trim());
}

function describeMinutes(minute: string, words: Words): string | undefined {
  if (minute === "*") return words.minutes(1);
  // 40 is no divisor of an hour, so that the times are not 40 minutes apart.
  const step = Number(STEP.exec(minute)?.groups?.["step"] ?? 0);
  if (step > 0 && 60 % step === 0) return words.minutes(step);
  if (!NUMBER.test(minute)) return undefined;
  return Number(minute) === 0 ? words.hourly : words.hourlyAt(minute.padStart(2, "0"));
}

interface CronParts {
  readonly minute: string;
  readonly hour: string;
  readonly days: string;
}

function describeHours({ minute, hour, days }: CronParts, words: Words): string | undefined {
  if (!NUMBER.test(minute)) return undefined;
  if (STEP.test(hour)) return describeHourStep({ minute, hour, days }, words);
  if (!NUMBER.test(hour)) return undefined;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (days === EVERY_DAY) return words.daily(time);
  return days === "* * 1-5" ? words.weekdays(time) : undefined;
}

function describeHourStep({ minute, hour, days }: CronParts, words: Words): string | undefined {
  const step = Number(STEP.exec(hour)?.groups?.["step"]);
  const isEven = Number(minute) === 0 && days === EVERY_DAY && 24 % step === 0;
  return isEven ? words.hours(step) : undefined;
}

const MAX_DELAY_MS = 10 * 60_000;

/** Times that are compared for the shortest period. */
const TIMES = 4;

/**
 * How long after its times a schedule starts: always the same for one schedule, at most half of the
 * time between two of its times, and 10 minutes.
 */
export function spreadStart(name: string, timetable: Timetable, nowMs: number): number {
  let periodMs = Infinity;
  let lastMs = timetable.next(nowMs);
  for (let at = 1; at < TIMES && lastMs !== undefined; at += 1) {
    const nextMs = timetable.next(lastMs);
    if (nextMs !== undefined) periodMs = Math.min(periodMs, nextMs - lastMs);
    lastMs = nextMs;
  }
  const maxSeconds = Math.floor(Math.min(periodMs / 2, MAX_DELAY_MS) / 1000);
  const hash = createHash("sha256").update(name).digest().readUInt32BE();
  return (hash % maxSeconds) * 1000;
}
