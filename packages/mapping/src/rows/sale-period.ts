/** Reads the dates between which the reduced price of a row is valid, and compares them with now. */

import { formatDateTime, type Localized } from "@catalog/i18n";

import { readTimes } from "../values/date-text.ts";
import { type Cell, locationOf, PLAIN_CELL } from "./layout.ts";
import type { RowColumns } from "./platform-columns.ts";
import { cellAt } from "./read-cell.ts";
import type { RowWork } from "./row-work.ts";
import { cellText } from "./source-row.ts";

/** Whether the reduced price is what the buyer pays now; `unclear` has been reported. */
export type SaleState = "valid" | "over" | "future" | "unclear";

/** Compares the dates of a row with now, and says so at the cell of the reduced price. */
export function readSaleState(work: RowWork, sale: Cell, nowMs: number | undefined): SaleState {
  const given = readDates(work, work.layout.says.salePeriod);
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
  { starts, ends, spans }: RowColumns["salePeriod"],
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
    return [{ edge, cell, times: toTimes(text, edge) }];
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

const DAY_MS = 86_400_000;

/** The last day counts whole. */
const toTimes = (text: string, edge: GivenDate["edge"]): readonly number[] =>
  readTimes(text).map(({ atMs, isDay }) => (edge === "end" && isDay ? atMs + DAY_MS - 1 : atMs));
