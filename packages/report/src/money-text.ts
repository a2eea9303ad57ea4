import { formatPercentChange, type Lang } from "@catalog/i18n";

/** Minor units in one unit of the currency. */
export const MINOR_UNITS = 100;

/** Formats a change in percent, with decimals only for small changes. */
export function formatPercent(percent: number, lang: Lang): string {
  const decimals = Math.abs(percent) < 10 ? 1 : 0;
  return formatPercentChange(percent, lang, { minDecimals: decimals, maxDecimals: decimals });
}
