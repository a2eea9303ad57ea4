/** Formats numbers in each language: 1.299,90 in Turkish and 1,299.90 in English. */

import type { Lang } from "./localized.ts";

/** Number of decimals that are written. */
export interface NumberFormatOptions {
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

const TWO_DECIMALS = { minDecimals: 2, maxDecimals: 2 } as const;

/** Formats a change in percent with its sign, such as −%12 or −12%. Zero has a plus sign. */
export function formatPercentChange(
  percent: number,
  lang: Lang,
  options: NumberFormatOptions = {},
): string {
  const sign = percent < 0 ? "−" : "+";
  const number = formatNumber(Math.abs(percent), lang, options);
  return lang === "tr" ? `${sign}%${number}` : `${sign}${number}%`;
}

const MEGABYTE = 1_000_000;
const GIGABYTE = 1000 * MEGABYTE;

/**
 * Formats a size in megabytes, or in gigabytes where it is so large, such as 65,7 MB. From a
 * hundred on it has no decimal.
 */
export function formatMegabytes(bytes: number, lang: Lang): string {
  const [unit, name] = bytes < GIGABYTE ? [MEGABYTE, "MB"] : [GIGABYTE, "GB"];
  const size = bytes / unit;
  return `${formatNumber(size, lang, { maxDecimals: size < 100 ? 1 : 0 })} ${name}`;
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
