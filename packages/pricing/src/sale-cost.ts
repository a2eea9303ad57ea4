/** What a sale leaves after commission and tax, beside what the product has cost. */

import { formatMinor, formatNumber, type Lang, type Localized } from "@catalog/i18n";
import { Big } from "big.js";

/** Shares of what the buyer pays, in percent. */
export interface Fees {
  readonly commission?: string | undefined;
  /** Tax within the price; the cost is without it then. */
  readonly vat?: string | undefined;
}

/** What a product costs its seller. */
export interface SaleCost extends Fees {
  /** In minor units. */
  readonly cost: number;
}

/**
 * Judges a sale at what the buyer pays, in minor units. Fees are rounded to the nearest minor unit,
 * as an invoice shows them. Returns the arithmetic where less than the cost is left, else
 * `undefined`.
 */
export function judgeSale(
  paid: number,
  { cost, commission, vat }: SaleCost,
): Localized | undefined {
  const fee = share(paid, new Big(commission ?? 0).div(100));
  const tax = share(paid, new Big(vat ?? 0).div(new Big(vat ?? 0).plus(100)));
  const left = paid - fee - tax;
  if (left >= cost) return undefined;
  const write = (lang: Lang): string => {
    const [commissionName, taxName, costName] =
      lang === "tr" ? ["komisyon", "KDV", "maliyet"] : ["commission", "VAT", "cost"];
    const parts = [
      formatMinor(paid, lang),
      ...(fee === 0
        ? []
        : [`${commissionName} ${percent(commission, lang)} (${formatMinor(fee, lang)})`]),
      ...(tax === 0 ? [] : [`${taxName} ${percent(vat, lang)} (${formatMinor(tax, lang)})`]),
    ];
    const rest = parts.length === 1 ? "" : ` = ${formatMinor(left, lang)}`;
    return `${parts.join(" − ")}${rest} < ${costName} ${formatMinor(cost, lang)}`;
  };
  return { tr: write("tr"), en: write("en") };
}

const share = (paid: number, part: Big): number => Number(part.times(paid).round(0).toFixed());

/** A percentage as each language writes it. */
export function percent(value: string | undefined, lang: Lang): string {
  const number = formatNumber(Number(value ?? 0), lang, { maxDecimals: 4 });
  return lang === "tr" ? `%${number}` : `${number}%`;
}
