/**
 * When a run made its calls: as bars of equal duration with the hourly limit as a line, and as a
 * table.
 */

import type { StoreMeters } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";

import { escapeHtml, formatClock, formatTable, formatTimestamp } from "./markup.ts";
import { PAGE_TEXTS } from "./page-texts.ts";

/** The calls of one minute. */
type CallMinute = Awaited<ReturnType<StoreMeters["callLog"]["read"]>>[number];

/** The calls of some consecutive minutes. */
export interface CallBar {
  /** Start of the bar, in minutes since 1970. */
  readonly minute: number;
  readonly calls: number;
  /** Calls that the hourly limit allows in the bar's minutes; `null` where no limit was known. */
  readonly allowed: number | null;
}

export interface CallTimes {
  /** Duration of one bar, in minutes. */
  readonly step: number;
  readonly bars: readonly CallBar[];
  readonly total: number;
  /** Calls of the busiest sixty minutes. */
  readonly busiestHour: number;
  /** Lowest hourly limit known during the run; `null` where none was known. */
  readonly perHour: number | null;
}

const MAX_BARS = 60;

/** Durations of a bar, in minutes; longer ones are whole days. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720] as const;

const MINUTES_A_DAY = 1440;

/** Groups minutes, which are in order, into bars; `undefined` where no call was made. */
export function toCallTimes(minutes: readonly CallMinute[]): CallTimes | undefined {
  const [first, last] = [minutes.at(0), minutes.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const step = chooseStep(last.minute - first.minute + 1);
  const from = Math.floor(first.minute / step) * step;
  const count = Math.floor((last.minute - from) / step) + 1;
  const groups = Map.groupBy(minutes, ({ minute }) => Math.floor((minute - from) / step));
  const limits = minutes.flatMap(({ perHour }) => (perHour === null ? [] : [perHour]));
  return {
    step,
    bars: Array.from({ length: count }, (_, index) => {
      const within = groups.get(index) ?? [];
      return {
        minute: from + index * step,
        calls: sum(within),
        allowed: toAllowed(within.at(-1), step),
      };
    }),
    total: sum(minutes),
    busiestHour: findBusiestHour(minutes),
    perHour: limits.length === 0 ? null : limits.reduce((min, each) => Math.min(min, each)),
  };
}

const sum = (minutes: readonly CallMinute[]): number =>
  minutes.reduce((calls, minute) => calls + minute.calls, 0);

function chooseStep(minutes: number): number {
  // One bar fewer than allowed, as the first one may start before the first call.
  const fits = (step: number): boolean => minutes <= step * (MAX_BARS - 1);
  return STEPS.find(fits) ?? Math.ceil(minutes / (MAX_BARS - 1) / MINUTES_A_DAY) * MINUTES_A_DAY;
}

const toAllowed = (minute: CallMinute | undefined, step: number): number | null =>
  minute === undefined || minute.perHour === null ? null : (minute.perHour * step) / 60;

/** Finds the sixty minutes with the most calls; `minutes` are in order. */
function findBusiestHour(minutes: readonly CallMinute[]): number {
  let [max, calls, oldest] = [0, 0, 0];
  for (const { minute, calls: made } of minutes) {
    calls += made;
    for (let old = minutes[oldest]; old !== undefined && old.minute <= minute - 60;) {
      calls -= old.calls;
      oldest += 1;
      old = minutes[oldest];
    }
    max = Math.max(max, calls);
  }
  return max;
}

const WIDTH = 480;
const HEIGHT = 160;
const LEFT = 56;
const TOP = 12;
const BOTTOM = 30;
const RIGHT = 28;
/** Gap between two bars, as a share of a bar's width. */
const GAP = 0.15;

/** Draws the bars; empty for a single bar, which a sentence describes better. */
export function plotCalls({ bars }: CallTimes, lang: Lang): string {
  if (bars.length < 2) return "";
  const max = roundUp(Math.max(...bars.flatMap(({ calls, allowed }) => [calls, allowed ?? 0])));
  const barWidth = WIDTH / bars.length;
  const toY = (calls: number): number => round(TOP + HEIGHT - (calls / max) * HEIGHT);
  const columns = bars.map(({ calls }, index) => {
    const [x, y] = [round(LEFT + (index + GAP / 2) * barWidth), toY(calls)];
    return `<rect class="calls" x="${x}" y="${y}" width="${round(barWidth * (1 - GAP))}" height="${round(TOP + HEIGHT - y)}"/>`;
  });
  const limit = traceLimit(bars, barWidth, toY);
  const path = limit === "" ? "" : `<path class="limit" d="${limit}"/>\n`;
  const grid = [0, max / 2, max].map((calls) => formatGridLine(toY(calls), calls));
  return `<svg viewBox="0 0 ${LEFT + WIDTH + RIGHT} ${TOP + HEIGHT + BOTTOM}" role="img" aria-labelledby="calls-plot-title">
<title id="calls-plot-title">${escapeHtml(PAGE_TEXTS[lang].callsPlot)}</title>
${grid.join("\n")}
${columns.join("\n")}
${path}${formatTimes(bars, barWidth)}
</svg>
`;
}

/** A step for each bar whose limit was known. */
function traceLimit(
  bars: readonly CallBar[],
  barWidth: number,
  toY: (n: number) => number,
): string {
  return bars
    .flatMap(({ allowed }, index) => {
      if (allowed === null) return [];
      const [from, to] = [round(LEFT + index * barWidth), round(LEFT + (index + 1) * barWidth)];
      return [`M${from} ${toY(allowed)}H${to}`];
    })
    .join("");
}

const DECIMALS = 1000;
const round = (value: number): number => Math.round(value * DECIMALS) / DECIMALS;

/** Rounds up to 2, 4, 10, 20, 40, 100 and so on, whose halves are whole numbers. */
function roundUp(calls: number): number {
  for (let unit = 1; ; unit *= 10) {
    const found = [2, 4, 10].find((part) => calls <= part * unit);
    if (found !== undefined) return found * unit;
  }
}

function formatGridLine(y: number, calls: number): string {
  return `<g class="grid"><line x1="${LEFT}" y1="${y}" x2="${LEFT + WIDTH}" y2="${y}"/><text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${calls}</text></g>`;
}

/** Start times of the first, the middle and the last bar. */
function formatTimes(bars: readonly CallBar[], barWidth: number): string {
  const ticks = new Set([0, Math.floor((bars.length - 1) / 2), bars.length - 1]);
  return [...ticks]
    .map((index) => {
      const x = round(LEFT + (index + 0.5) * barWidth);
      const text = formatClock(bars[index]?.minute ?? 0);
      return `<text x="${x}" y="${TOP + HEIGHT + 18}" text-anchor="middle">${text}</text>`;
    })
    .join("\n");
}

const MINUTE_MS = 60_000;

interface CallView {
  readonly lang: Lang;
  /** Chart of the calls that the table lists. */
  readonly plot: string;
}

/** Formats the section; empty where no call was made. */
export function formatCalls(times: CallTimes | undefined, { lang, plot }: CallView): string {
  if (times === undefined) return "";
  const texts = PAGE_TEXTS[lang];
  const parts = [
    texts.callsIn(times.total, times.busiestHour),
    times.perHour === null ? texts.noLimit : texts.limitOf(times.perHour),
  ];
  return `<section aria-labelledby="calls-title">
<h2 id="calls-title">${escapeHtml(texts.callsOverTime)}</h2>
<p>${escapeHtml(parts.join(" "))}</p>
${plot === "" ? "" : formatFigure(times, { lang, plot })}</section>
`;
}

function formatFigure(times: CallTimes, { lang, plot }: CallView): string {
  const texts = PAGE_TEXTS[lang];
  const help = [
    texts.barsOf(times.step),
    ...(times.perHour === null ? [] : [texts.limitLine]),
  ].join(" ");
  const isLimited = times.perHour !== null;
  const numbers = [texts.calls, ...(isLimited ? [texts.allowed] : [])];
  const table = formatTable("calls", {
    columns: [texts.from, ...numbers],
    numbers: new Set(numbers),
    lines: times.bars
      .filter(({ calls }) => calls > 0)
      .map((bar) => formatBar(bar, { isLimited, lang })),
  });
  return `<figure>${plot}<figcaption>${escapeHtml(help)}</figcaption></figure>
<details><summary>${escapeHtml(texts.asTable)}</summary>
${table}
</details>
`;
}

function formatBar(
  { minute, calls, allowed }: CallBar,
  { isLimited, lang }: { readonly isLimited: boolean; readonly lang: Lang },
): string {
  const limit = allowed === null ? "" : String(Math.round(allowed));
  const rest = isLimited ? `<td class="number">${limit}</td>` : "";
  return `<tr><th scope="row">${formatTimestamp(minute * MINUTE_MS, lang)}</th><td class="number">${calls}</td>${rest}</tr>`;
}
