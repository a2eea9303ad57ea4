import { formatPercentChange, type Lang } from "@catalog/i18n";

/** A change in percent, without decimals but for small ones. */
export function formatPercent(percent: number, lang: Lang): string {
  const decimals = Math.abs(percent) < 10 ? 1 : 0;
  return formatPercentChange(percent, lang, { minDecimals: decimals, maxDecimals: decimals });
}
