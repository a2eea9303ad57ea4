/** A rule, what it decides, and what people call it. */

import type { Localized } from "@catalog/i18n";

/** One rule. Amounts and percentages are decimal texts with a point, so that no digit is lost. */
export interface PriceRule {
  /** Rules are tried from the lowest number up. No two rules have the same. */
  readonly number: number;
  readonly name?: string;
  /** A category, by its name or its path; its subcategories belong to it. @default every one */
  readonly category?: string;
  /** @default every brand */
  readonly brand?: string;
  /** Name of a file or feed, or the text of a column of suppliers; `*` stands for any text. */
  readonly supplier?: string;
  /** Lowest amount of the source for which the rule holds, itself included. */
  readonly from?: string;
  /** Amount of the source from which on the rule no longer holds. */
  readonly below?: string;
  /** `price` and `cost` of the file, `store` for the store's price, or `column:HEADER`. */
  readonly source: string;
  /** Currency of the source; the result is in TL. @default the row's, and the result too */
  readonly currency?: "USD" | "EUR";
  /** What one unit of the currency costs in TL. */
  readonly rate?: string;
  /** The day of the rate, as 2026-11-28. */
  readonly rateDate?: string;
  /** Tax that is added to the source, in percent. */
  readonly addVat?: string;
  /** Percentage that is added; a negative one is taken off. */
  readonly markup?: string;
  /** Amount that is added; a negative one is taken off. */
  readonly addition?: string;
  /** Share of the price that is left after the source, commission and tax, in percent. */
  readonly margin?: string;
  /** Decimals on which the price ends, as `90`; `00` for a whole number. */
  readonly ending?: string;
  /** @default "up" */
  readonly direction?: "up" | "down" | "nearest";
  readonly min?: string;
  readonly max?: string;
  /** The marketplace's share of what the buyer pays, in percent. */
  readonly commission?: string;
  /** Tax within what the buyer pays, in percent; costs are without tax then. */
  readonly vat?: string;
  /** Pieces that are not offered. */
  readonly buffer?: number;
  /** A stock below this number, after the buffer, is shown as 0. */
  readonly zeroUnder?: number;
  /** Lowest stock shown of what is not sold out. */
  readonly stockMin?: number;
  /** Highest stock shown. */
  readonly stockMax?: number;
}

const PRICE_PARTS: readonly (keyof PriceRule)[] = [
  "addVat",
  "markup",
  "addition",
  "margin",
  "ending",
  "min",
];

/** Whether the rule makes a price, besides what it says of stock and fees. */
export const makesPrice = (rule: PriceRule): boolean =>
  rule.source !== "price" ||
  rule.currency !== undefined ||
  rule.max !== undefined ||
  PRICE_PARTS.some((key) => rule[key] !== undefined);

/** Whether the rule makes a stock. */
const makesStock = ({ buffer, zeroUnder, stockMin, stockMax }: PriceRule): boolean =>
  [buffer, zeroUnder, stockMin, stockMax].some((value) => value !== undefined);

/** Whether the rule says what of a price goes to others. */
export const statesFees = ({ commission, vat }: PriceRule): boolean =>
  commission !== undefined || vat !== undefined;

/** What a rule decides; of each the first matching rule is used. */
export const PARTS: Readonly<Record<"price" | "stock" | "fees", (rule: PriceRule) => boolean>> = {
  price: makesPrice,
  stock: makesStock,
  fees: statesFees,
};

/** How people call a rule, as “R3”. */
export const nameRule = ({ number, name }: Pick<PriceRule, "number" | "name">): string =>
  name === undefined ? `R${number}` : `R${number} (${name})`;

const SOURCES: ReadonlyMap<string, Localized> = new Map([
  ["price", { tr: "Fiyat", en: "Price" }],
  ["cost", { tr: "Maliyet", en: "Cost" }],
  ["store", { tr: "Mağaza", en: "Store" }],
]);

/** The source of a rule in words. */
export const nameSource = (source: string): Localized => {
  const header = source.replace(/^column:/u, "");
  return SOURCES.get(source) ?? { tr: header, en: header };
};

/** Texts with the same key mean the same: case, marks of letters and blanks do not count. */
export function matchKey(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ı", "i")
    .replaceAll(/\s+/gu, " ")
    .trim();
}
