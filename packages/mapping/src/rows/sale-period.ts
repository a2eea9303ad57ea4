/** Reads the dates between which the reduced price of a row is valid, and compares them with now. */

import { formatDateTime, type Localized } from "@catalog/i18n";

import type { ColumnMapping } from "../columns/map-columns.ts";
import type { PlatformSalePeriod } from "../platforms/platform.ts";
import { findPlatform } from "../platforms/recognise-platform.ts";
import { findHeaders } from "../variants/variant-columns.ts";
import { type Cell, PLAIN_CELL, locationOf } from "./layout.ts";
import { cellAt } from "./read-cell.ts";
import type { RowWork } from "./row-work.ts";
import { cellText } from "./source-row.ts";

/** Indexes of the columns with the dates of reduced prices. */
export type SalePeriodColumns = Readonly<Record<keyof PlatformSalePeriod, number | undefined>>;

/** `undefined` for a file without such dates; a person may leave their columns out. */
export function findSalePeriod({
  columns,
  platform,
}: Pick<ColumnMapping, "columns" | "platform">): SalePeriodColumns | undefined {
  const period = platform && findPlatform(platform.name)?.salePeriod;
  if (period === undefined) return undefined;
  const used = columns.filter(({ target }) => target.kind !== "unused");
  const find = (headers: readonly string[] = []): number | undefined =>
    findHeaders(used, headers)[0];
  return { starts: find(period.starts), ends: find(period.ends), spans: find(period.spans) };
}

/** Whether the reduced price is what the buyer pays now; `unclear` has been reported. */
export type SaleState = "valid" | "over" | "future" | "unclear";

/** Compares the dates of a row with now, and says so at the cell of the reduced price. */
export function readSaleState(work: RowWork, sale: Cell, nowMs: number | undefined): SaleState {
  const { salePeriod } = work.layout;
  if (salePeriod === undefined) return "valid";
  const given = readDates(work, salePeriod);
  if (given.length === 0) return "valid";
  const verdicts = new Set(given.map(({ times, edge }) => judge(times, edge, nowMs)));
  if (verdicts.has(undefined)) {
    const unread = given.find(({ times, edge }) => judge(times, edge, nowMs) === undefined);
    if (unread !== undefined) work.report({ text: "E_SALE_DATE" }, unread.cell);
    return "unclear";
  }
  const end = given.find(({ edge }) => edge === "end");
  const start = given.find(({ edge }) => edge === "start");
  if (verdicts.has("over")) return warn(work, sale, { state: "over", date: end });
  if (verdicts.has("future")) return warn(work, sale, { state: "future", date: start });
  return warn(work, sale, { state: "valid", date: end });
}

interface GivenDate {
  readonly edge: "start" | "end";
  readonly cell: Cell;
  /** Every time that the text can mean; none where it is no date. */
  readonly times: readonly number[];
}

const WARNINGS = {
  over: "W_SALE_PERIOD.over",
  future: "W_SALE_PERIOD.future",
  valid: "W_SALE_PERIOD",
} as const;

function warn(
  work: RowWork,
  sale: Cell,
  { state, date }: { readonly state: keyof typeof WARNINGS; readonly date: GivenDate | undefined },
): SaleState {
  const [atMs] = date?.times ?? [];
  if (atMs !== undefined)
    work.warn({ text: WARNINGS[state], params: { date: showDay(atMs) } }, sale);
  return state;
}

const showDay = (atMs: number): Localized => ({
  tr: formatDateTime(atMs, "tr", { dateStyle: "short" }),
  en: formatDateTime(atMs, "en", { dateStyle: "short" }),
});

/** `undefined` where the readings of a date do not agree, or there is none. */
function judge(
  times: readonly number[],
  edge: GivenDate["edge"],
  nowMs: number | undefined,
): "valid" | "over" | "future" | undefined {
  if (nowMs === undefined || times.length === 0) return undefined;
  const isPast = times.map((atMs) => atMs < nowMs);
  if (isPast.some((past) => past !== isPast[0])) return undefined;
  if (edge === "start") return isPast[0] === true ? "valid" : "future";
  return isPast[0] === true ? "over" : "valid";
}

function readDates(
  work: RowWork,
  { starts, ends, spans }: SalePeriodColumns,
): readonly GivenDate[] {
  const span = dateCell(work, spans);
  const [from = "", to = ""] = span?.text.split("/") ?? [];
  const given = [
    { edge: "start", cell: dateCell(work, starts) },
    { edge: "end", cell: dateCell(work, ends) },
    { edge: "start", cell: span, text: from.trim() },
    { edge: "end", cell: span, text: to.trim() },
  ] as const;
  return given.flatMap(({ edge, cell, ...own }) => {
    const text = "text" in own ? own.text : cell?.text;
    if (cell === undefined || text === undefined || NO_DATE.test(text)) return [];
    return [{ edge, cell, times: parseDates(text, edge) }];
  });
}

/** Some shops write a date of zeros for none. */
const NO_DATE = /^(?:0000-00-00(?:[T ][0:.]+)?)?$/u;

function dateCell({ layout, source, row }: RowWork, index: number | undefined): Cell | undefined {
  const column = index === undefined ? undefined : layout.mapping.columns[index];
  if (index === undefined || column === undefined) return undefined;
  const text = cellText(cellAt(source, index).value);
  if (text === "") return undefined;
  const location = { ...locationOf(layout, column, row), value: text };
  return { ...PLAIN_CELL, field: "discount_value", index, location, value: text, text };
}

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ,]+(.*))?$/u;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?:[T ,]+(.*))?$/u;
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([AP]M)?\s*(Z|[+-]\d{2}:?\d{2})?/iu;

/**
 * The times that a text can mean. Days of a file stand in Turkish time; the last day counts whole.
 * Which number of `3/5/24` is the month, nothing says.
 */
function parseDates(text: string, edge: GivenDate["edge"]): readonly number[] {
  const first = YEAR_FIRST.exec(text);
  if (first !== null) {
    const [, year = "", month = "", day = "", time] = first;
    return toTimes([{ year, month, day }], time, edge);
  }
  const [, a = "", sign = "", b = "", digits = "", time] = YEAR_LAST.exec(text) ?? [];
  if (sign === "") return [];
  const year = digits.length === 2 ? `20${digits}` : digits;
  const days = [{ year, month: b, day: a }];
  // With points or dashes the day stands first wherever they are written.
  if (sign === "/") days.push({ year, month: a, day: b });
  return toTimes(days, time, edge);
}

interface Day {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

const DAY_MS = 86_400_000;
const TURKISH_OFFSET_MINUTES = 180;
/** No zone is further from the meridian; some programs write an end of the day behind the time. */
const MAX_OFFSET_MINUTES = 14 * 60;

function toTimes(
  days: readonly Day[],
  time: string | undefined,
  edge: GivenDate["edge"],
): readonly number[] {
  const clock = readClock(time ?? "");
  return days.flatMap(({ year, month, day }) => {
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
    const isReal = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
    if (!isReal || clock === undefined) return [];
    const atMs = date.getTime() + (clock.minutes - clock.offsetMinutes) * 60_000;
    return [edge === "end" && clock.minutes === 0 ? atMs + DAY_MS - 1 : atMs];
  });
}

interface ClockTime {
  readonly minutes: number;
  readonly offsetMinutes: number;
}

/** `undefined` for a text that is no time; midnight for an empty one. */
function readClock(text: string): ClockTime | undefined {
  if (text === "") return { minutes: 0, offsetMinutes: TURKISH_OFFSET_MINUTES };
  const [, hour = "", minute = "", , half = "", zone = ""] = TIME.exec(text) ?? [];
  if (hour === "") return undefined;
  const twelve = half === "" ? Number(hour) : (Number(hour) % 12) + (/^p/iu.test(half) ? 12 : 0);
  return { minutes: twelve * 60 + Number(minute), offsetMinutes: readOffset(zone) };
}

function readOffset(zone: string): number {
  if (zone === "") return TURKISH_OFFSET_MINUTES;
  if (/^z$/iu.test(zone)) return 0;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/u.exec(zone) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  if (offset > MAX_OFFSET_MINUTES) return TURKISH_OFFSET_MINUTES;
  return sign === "-" ? -offset : offset;
}
