/**
 * Prices that change, with the old one and the new one, the biggest changes first, as a table and
 * as a chart.
 */

import { formatMinor, type Lang } from "@catalog/i18n";
import { type RowRecord, toCountClass, type PaidPrices } from "@catalog/runs";

import { escapeHtml } from "./markup.ts";
import { PAGE_TEXTS } from "./page-texts.ts";

/** What the buyer pays before and after, in minor units. */
export interface PriceChange {
  readonly row: number;
  readonly code: string;
  readonly oldMinor: number;
  readonly newMinor: number;
  /** Change in percent of the old price. */
  readonly percent: number;
  /** The prices before the discount, where there is one. */
  readonly list?: { readonly oldMinor: number; readonly newMinor: number };
  readonly result: ReturnType<typeof toCountClass>;
}

export interface PriceChanges {
  /** Biggest changes first, at most {@link MAX_CHANGES}. */
  readonly changes: readonly PriceChange[];
  /** Prices that change and whose old value is known. */
  readonly total: number;
  /** Prices that are sent although their old value is not known. */
  readonly unread: number;
}

/** Maximum number of changes drawn; more points add nothing to the chart. */
const MAX_CHANGES = 2_000;

/** Takes rows one by one. */
export interface PriceChangeList {
  observe(row: PricedRow): void;
  list(): PriceChanges;
}

type PricedRow = Pick<RowRecord, "row" | "code" | "state" | "action" | "changes"> & {
  readonly paid?: PaidPrices | undefined;
};

export function createPriceChangeList(): PriceChangeList {
  const kept: PriceChange[] = [];
  let total = 0;
  let unread = 0;
  return {
    observe(row) {
      const price = row.changes.find(({ field }) => field === "price");
      if (price === undefined) return;
      const change = toPriceChange(row, price.old, price.new);
      if (change === undefined) {
        unread += 1;
        return;
      }
      total += 1;
      kept.push(change);
      if (kept.length >= 2 * MAX_CHANGES) keepBiggest(kept);
    },
    list() {
      keepBiggest(kept);
      return { changes: kept, total, unread };
    },
  };
}

function toPriceChange(
  { row, code, state, action, paid }: PricedRow,
  before: unknown,
  after: unknown,
): PriceChange | undefined {
  if (typeof before !== "number" || typeof after !== "number" || before <= 0) return undefined;
  // Where the marketplace decides what the buyer pays, the prices before the discount are compared.
  const hasPaid = paid?.new !== undefined && paid.old > 0;
  const [oldMinor, newMinor] = hasPaid ? [paid.old, paid.new] : [before, after];
  return {
    row,
    code: code ?? "",
    oldMinor,
    newMinor,
    percent: ((newMinor - oldMinor) / oldMinor) * 100,
    result: toCountClass(state, action),
    ...(hasPaid && { list: { oldMinor: before, newMinor: after } }),
  };
}

/**
 * Factor by which the price rises or falls: a tenth of a price weighs as much as ten times of it.
 */
const weight = ({ oldMinor, newMinor }: PriceChange): number =>
  Math.abs(Math.log(Math.max(1, newMinor) / oldMinor));

function keepBiggest(changes: PriceChange[]): void {
  changes.sort((a, b) => weight(b) - weight(a) || a.row - b.row);
  changes.splice(MAX_CHANGES);
}

const SIZE = 400;
const LEFT = 88;
const BOTTOM = 52;
const TOP = 12;
/** Space for half of the label at the end of the axis. */
const RIGHT = 44;
const RADIUS = 3.5;

/**
 * Draws the chart; both axes have the same powers of ten, so that unchanged prices lie on the
 * diagonal. Empty without changes.
 */
export function plotPrices(changes: readonly PriceChange[], lang: Lang): string {
  if (changes.length === 0) return "";
  const prices = changes.flatMap(({ oldMinor, newMinor }) => [oldMinor, newMinor]);
  const scale = createScale(prices);
  const texts = PAGE_TEXTS[lang];
  const grid = scale.decades.map((minor) =>
    formatGridLine(scale.at(minor), formatDecade(minor, lang)),
  );
  const points = changes.map(({ oldMinor, newMinor }) => {
    const kind = newMinor > oldMinor ? "rise" : "fall";
    return `<circle class="${kind}" cx="${toX(scale.at(oldMinor))}" cy="${toY(scale.at(newMinor))}" r="${RADIUS}"/>`;
  });
  const [low, high] = [round(0), round(1)];
  return `<svg viewBox="0 0 ${LEFT + SIZE + RIGHT} ${TOP + SIZE + BOTTOM}" role="img" aria-labelledby="plot-title">
<title id="plot-title">${escapeHtml(texts.plot)}</title>
${grid.join("\n")}
<line class="same" x1="${toX(low)}" y1="${toY(low)}" x2="${toX(high)}" y2="${toY(high)}"/>
${points.join("\n")}
<text class="axis" x="${LEFT + SIZE / 2}" y="${TOP + SIZE + BOTTOM - 6}" text-anchor="middle">${escapeHtml(texts.oldPrice)}</text>
<text class="axis" x="14" y="${TOP + SIZE / 2}" text-anchor="middle" transform="rotate(-90 14 ${TOP + SIZE / 2})">${escapeHtml(texts.newPrice)}</text>
</svg>
`;
}

const UNIT = 100;
const MILLION = 1_000_000;
const MILLIONS = { tr: "Mn", en: "M" } as const;

/** Formats a power of ten short enough to stand beside its neighbours. */
function formatDecade(minor: number, lang: Lang): string {
  if (minor < UNIT) return formatMinor(minor, lang);
  const whole = minor / UNIT;
  return whole < MILLION
    ? formatMinor(minor, lang).slice(0, -3)
    : `${whole / MILLION} ${MILLIONS[lang]}`;
}

interface Scale {
  /** Position on the axis, from 0 to 1. */
  readonly at: (minor: number) => number;
  /** Powers of ten within the scale. */
  readonly decades: readonly number[];
}

function createScale(prices: readonly number[]): Scale {
  let [min, max] = [Infinity, 1];
  for (const price of prices) {
    min = Math.min(min, Math.max(1, price));
    max = Math.max(max, price);
  }
  const from = Math.floor(Math.log10(min));
  const to = Math.max(from + 1, Math.ceil(Math.log10(max)));
  return {
    at: (minor) => round((Math.log10(Math.max(1, minor)) - from) / (to - from)),
    decades: Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index)),
  };
}

const DECIMALS = 1000;
const round = (value: number): number => Math.round(value * DECIMALS) / DECIMALS;
const toX = (part: number): number => round(LEFT + part * SIZE);
const toY = (part: number): number => round(TOP + SIZE - part * SIZE);

function formatGridLine(part: number, label: string): string {
  const [x, y] = [toX(part), toY(part)];
  return `<g class="grid"><line x1="${x}" y1="${TOP}" x2="${x}" y2="${TOP + SIZE}"/><line x1="${LEFT}" y1="${y}" x2="${LEFT + SIZE}" y2="${y}"/><text x="${x}" y="${TOP + SIZE + 18}" text-anchor="middle">${label}</text><text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${label}</text></g>`;
}
