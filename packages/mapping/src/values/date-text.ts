/** Reads dates and times as programs write them. */

/** A time that a text can mean. */
export interface ReadTime {
  /** In milliseconds since 1970; without a zone the text is in Turkish time. */
  readonly atMs: number;
  /** Whether it is the beginning of a day, as programs write a day. */
  readonly isDay: boolean;
}

interface Day {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ,](.*))?$/u;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?:[T ,](.*))?$/u;
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([AP]M)?\s*(Z|[+-]\d{2}:?\d{2})?/iu;

/**
 * Every time that a text can mean; none for a text that is no date. Which number of `3/5/24` is the
 * month, nothing says, so that it means two.
 */
export function readTimes(text: string): readonly ReadTime[] {
  const [, year = "", month = "", day = "", time = ""] = YEAR_FIRST.exec(text) ?? [];
  if (year !== "") return toTimes([{ year, month, day }], time);
  const last = YEAR_LAST.exec(text);
  return last === null ? [] : readYearLast(last);
}

function readYearLast([
  ,
  a = "",
  sign,
  b = "",
  digits = "",
  time = "",
]: RegExpExecArray): readonly ReadTime[] {
  const year = digits.length === 2 ? `20${digits}` : digits;
  const days = [{ year, month: b, day: a }];
  // With points or dashes the day stands first wherever they are written.
  if (sign === "/" && a !== b) days.push({ year, month: a, day: b });
  return toTimes(days, time);
}

function toTimes(days: readonly Day[], time: string): readonly ReadTime[] {
  const clock = readClock(time.replace(/^[T ,]+/u, ""));
  return days.flatMap(({ year, month, day }) => {
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
    const isReal = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
    if (!isReal || clock === undefined) return [];
    const atMs = date.getTime() + (clock.minutes - clock.offsetMinutes) * 60_000;
    return [{ atMs, isDay: clock.minutes === 0 }];
  });
}

interface ClockTime {
  readonly minutes: number;
  readonly offsetMinutes: number;
}

const TURKISH_OFFSET_MINUTES = 180;

/** `undefined` for a text that is no time; midnight for an empty one. */
function readClock(text: string): ClockTime | undefined {
  if (text === "") return { minutes: 0, offsetMinutes: TURKISH_OFFSET_MINUTES };
  const [, hour = "", minute = "", , half = "", zone = ""] = TIME.exec(text) ?? [];
  if (hour === "") return undefined;
  const hours = half === "" ? Number(hour) : (Number(hour) % 12) + (/^p/iu.test(half) ? 12 : 0);
  return { minutes: hours * 60 + Number(minute), offsetMinutes: readOffset(zone) };
}

/** No zone is further from the meridian; some feeds write an end of the day in its place. */
const MAX_OFFSET_MINUTES = 14 * 60;

function readOffset(zone: string): number {
  if (zone === "") return TURKISH_OFFSET_MINUTES;
  if (/^z$/iu.test(zone)) return 0;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/u.exec(zone) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  if (offset > MAX_OFFSET_MINUTES) return TURKISH_OFFSET_MINUTES;
  return sign === "-" ? -offset : offset;
}
