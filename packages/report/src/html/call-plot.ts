/** Calls over time as bars, with the hourly limit as a line. */

import type { Lang } from "@catalog/i18n";

import type { CallBar, CallTimes } from "./call-times.ts";
import { escapeHtml } from "./escape.ts";
import { PAGE_TEXTS } from "./page-texts.ts";
import { formatClock } from "./timestamps.ts";

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
