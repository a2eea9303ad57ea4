/** What a person fills in for a period, what is wrong with it, and the times that it means. */

import { parseDateTime, toCalendarDateTime, toZoned } from "@internationalized/date";

import type {
  ChangePeriodBody,
  DraftPeriodView,
  PeriodBody,
  PeriodTime,
  RunPeriodView,
} from "../../src/api/index.ts";

/** The zone of the marketplace; a period of another one keeps its own. */
export const MARKET_ZONE = "Europe/Istanbul";

/** A time that a person may give. */
export interface TimeForm {
  /** Whether there is to be a time at all. */
  readonly isGiven: boolean;
  /** On the clock of the zone, such as `2026-12-07T00:00`; `null` until all of it is filled in. */
  readonly local: string | null;
}

export interface PeriodForm {
  readonly start: TimeForm;
  readonly end: TimeForm;
  readonly timeZone: string;
  /** What the end takes back; `null` for all that is changed. */
  readonly fields: readonly string[] | null;
}

export type TimeName = "start" | "end";

/** `twice`, `skipped`: what a change of the clock makes of the hour. */
export type TimeProblem = "empty" | "past" | "order" | "skipped" | "twice";

const NO_TIME: TimeForm = { isGiven: false, local: null };

export const EMPTY_PERIOD: PeriodForm = {
  start: NO_TIME,
  end: NO_TIME,
  timeZone: MARKET_ZONE,
  fields: null,
};

const toTimeForm = (time: PeriodTime | null): TimeForm =>
  time === null ? NO_TIME : { isGiven: true, local: time.local };

/** The keys of the fields that a period takes back; `null` for all. */
export const keysOf = (
  fields: RunPeriodView["fields"] | DraftPeriodView["fields"],
): readonly string[] | null =>
  fields?.map((field) => (typeof field === "string" ? field : field.field)) ?? null;

/** A form that says what a period says. */
export const toPeriodForm = (
  period: Pick<RunPeriodView, "start" | "end" | "timeZone"> & {
    readonly fields: RunPeriodView["fields"] | DraftPeriodView["fields"];
  },
): PeriodForm => ({
  start: toTimeForm(period.start),
  end: toTimeForm(period.end),
  timeZone: period.timeZone,
  fields: keysOf(period.fields),
});

const localOf = ({ isGiven, local }: TimeForm): string | null => (isGiven ? local : null);

/** The times that a sound form means; `null` where it has none. */
export const toPeriodBody = (form: PeriodForm): PeriodBody | null => {
  const [start, end] = [localOf(form.start), localOf(form.end)];
  if (start === null && end === null) return null;
  const { timeZone, fields } = form;
  return { start, end, timeZone, ...(fields === null || end === null ? {} : { fields }) };
};

/** Changes an approved period, of which the page shows `period`. */
export const toChangeBody = (
  form: PeriodForm,
  period: Pick<RunPeriodView, "start" | "end">,
): ChangePeriodBody => ({
  start: null,
  end: null,
  timeZone: form.timeZone,
  ...toPeriodBody(form),
  seen: { start: period.start?.at ?? null, end: period.end?.at ?? null },
});

type Moment = number | "skipped" | "twice";

/** The moment of a time on the clock of a zone. */
const momentOf = (local: string, timeZone: string): Moment => {
  const time = parseDateTime(local);
  const earlier = toZoned(time, timeZone, "earlier");
  const later = toZoned(time, timeZone, "later");
  if (earlier.compare(later) === 0) return earlier.toDate().getTime();
  return toCalendarDateTime(earlier).compare(time) === 0 ? "twice" : "skipped";
};

interface CheckOptions {
  readonly nowMs: number;
  /** The period as it is: a time that stays as it was may have passed. @default there is none */
  readonly known?: PeriodForm | undefined;
}

export type PeriodProblems = Readonly<Record<TimeName, TimeProblem | null>>;

/** What is wrong with each time of a period. */
export const checkPeriod = (form: PeriodForm, { nowMs, known }: CheckOptions): PeriodProblems => {
  const look = (name: TimeName): TimeProblem | null => {
    const { isGiven, local } = form[name];
    if (!isGiven) return null;
    if (local === null) return "empty";
    const moment = momentOf(local, form.timeZone);
    if (typeof moment === "string") return moment;
    const isKept = known?.timeZone === form.timeZone && known[name].local === local;
    return moment <= nowMs && !isKept ? "past" : null;
  };
  const problems = { start: look("start"), end: look("end") };
  const [start, end] = [localOf(form.start), localOf(form.end)];
  if (problems.start !== null || problems.end !== null || start === null || end === null) {
    return problems;
  }
  const isAfter = momentOf(end, form.timeZone) > momentOf(start, form.timeZone);
  return isAfter ? problems : { ...problems, end: "order" };
};

export const isSoundPeriod = ({ start, end }: PeriodProblems): boolean =>
  start === null && end === null;
