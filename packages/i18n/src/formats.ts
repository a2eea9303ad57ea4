/** Formats numbers, dates and durations in each language: 1.299,90 in Turkish and 1,299.90 in English. */

import type { Lang } from "./errors.ts";

/** Number of decimals that are written. */
interface NumberFormatOptions {
  /** @default 0 */
  readonly minDecimals?: number;
  /** @default 3, or `minDecimals` where that is more */
  readonly maxDecimals?: number;
}

/** Formats a number with grouped thousands, such as 1.234 or 1,234. */
export function formatNumber(value: number, lang: Lang, options: NumberFormatOptions = {}): string {
  return formatterOf(lang, options).format(value);
}

/** Formats minor units as an amount with two decimals, without a currency. */
export function formatMinor(minor: number, lang: Lang): string {
  return formatNumber(Math.round(minor) / 100, lang, TWO_DECIMALS);
}

/** Maximum number of decimals where none is given. */
const DEFAULT_DECIMALS = 3;

const TWO_DECIMALS = { minDecimals: 2, maxDecimals: 2 } as const;

/**
 * The number of decimals of a change in percent: as many as asked for, and more where the change would otherwise be rounded to none, or to a fall of 100 %.
 */
export function decimalsOfChange(percent: number, decimals: number): number {
  let enough = decimals;
  while (enough < MAX_CHANGE_DECIMALS && isHidden(percent, enough)) enough += 1;
  return enough;
}

const MAX_CHANGE_DECIMALS = 6;

function isHidden(percent: number, decimals: number): boolean {
  const rounded = roundTo(percent, decimals);
  return rounded !== percent && (rounded === 0 || rounded === -100);
}

const roundTo = (value: number, decimals: number): number =>
  Math.round(value * 10 ** decimals) / 10 ** decimals;

/** Rounds a change in percent to the decimals of {@link decimalsOfChange}. */
export const roundPercentChange = (percent: number, decimals: number): number =>
  roundTo(percent, decimalsOfChange(percent, decimals));

/**
 * Formats a change in percent with its sign, such as −%12 or −12%, with the decimals of
 * {@link decimalsOfChange}. Zero has a plus sign.
 */
export function formatPercentChange(
  percent: number,
  lang: Lang,
  options: NumberFormatOptions = {},
): string {
  const sign = percent < 0 ? "−" : "+";
  const { minDecimals = 0, maxDecimals = Math.max(DEFAULT_DECIMALS, minDecimals) } = options;
  const decimals = decimalsOfChange(percent, maxDecimals);
  const number = formatNumber(Math.abs(percent), lang, { minDecimals, maxDecimals: decimals });
  return lang === "tr" ? `${sign}%${number}` : `${sign}${number}%`;
}

/**
 * Units of sizes, each 1,024 of the one before, as limits in the settings and file managers count.
 */
const SIZE_UNITS = ["KB", "MB", "GB"] as const;
const UNIT_FACTOR = 1024;

/** Formats a size, such as 5,5 MB. From a hundred on, and in kilobytes, it has no decimal. */
export function formatBytes(bytes: number, lang: Lang): string {
  if (bytes < UNIT_FACTOR) return `${bytes} ${lang === "tr" ? "bayt" : "bytes"}`;
  let size = bytes / UNIT_FACTOR;
  let at = 0;
  // A size that would be rounded to 1,024 is written in the next unit.
  while (Math.round(size) >= UNIT_FACTOR && at < SIZE_UNITS.length - 1) {
    size /= UNIT_FACTOR;
    at += 1;
  }
  const maxDecimals = at === 0 || size >= 100 ? 0 : 1;
  return `${formatNumber(size, lang, { maxDecimals })} ${SIZE_UNITS[at]}`;
}

const LOCALES = { tr: "tr-TR", en: "en-US" } as const;

/** Cached, because creating one takes about 50 times as long as using it. */
const formatters = new Map<string, Intl.NumberFormat>();

function formatterOf(
  lang: Lang,
  { minDecimals, maxDecimals }: NumberFormatOptions,
): Intl.NumberFormat {
  const key = `${lang} ${minDecimals} ${maxDecimals}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const formatter = new Intl.NumberFormat(LOCALES[lang], {
    minimumFractionDigits: minDecimals,
    maximumFractionDigits: maxDecimals,
  });
  formatters.set(key, formatter);
  return formatter;
}

/** The zone of the marketplace, in which people read every time, on every machine. */
const MARKET_ZONE = "Europe/Istanbul";

/** British English, because the day stands before the month in Türkiye too. */
const DATE_LOCALES = { tr: "tr-TR", en: "en-GB" } as const;

/** Writes 2026-01-31: in English 03/04 is a day of March for some and of April for others. */
const ISO_ORDER = "sv-SE";

/**
 * Formats a time, in milliseconds since 1970, in both languages. The options are those of
 * `Intl.DateTimeFormat`; without a `timeZone` it is Turkish time.
 */
export function formatDateTime(
  atMs: number,
  lang: Lang,
  options: Intl.DateTimeFormatOptions,
): string {
  const locale = lang === "en" && options.dateStyle === "short" ? ISO_ORDER : DATE_LOCALES[lang];
  return new Intl.DateTimeFormat(locale, { timeZone: MARKET_ZONE, ...options }).format(atMs);
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Names of hours, minutes and seconds. */
const UNITS: Readonly<Record<Lang, readonly [hours: string, minutes: string, seconds: string]>> = {
  tr: ["sa", "dk", "sn"],
  en: ["h", "min", "s"],
};

/** Formats a duration, such as `1 sa 5 dk`, `12 dk` or `90 sn`; minutes are rounded up. */
export function formatDuration(seconds: number, lang: Lang): string {
  const [h, m, s] = UNITS[lang];
  const minutes = Math.ceil(seconds / MINUTE);
  if (seconds >= HOUR) return `${Math.floor(minutes / 60)} ${h} ${minutes % 60} ${m}`;
  if (seconds >= 2 * MINUTE) return `${minutes} ${m}`;
  return `${seconds} ${s}`;
}
