/** Notes for a person on how a file was read, before the plan is accepted. */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import type { NumberNotations, ColumnMapping, PriceSamples } from "@catalog/mapping";

import type { Rule } from "../names/rule.ts";

export interface PlanNoteFacts {
  readonly mapping: Pick<ColumnMapping, "columns">;
  readonly notations: Pick<NumberNotations, "columns">;
  readonly prices: PriceSamples["samples"];
  readonly usedRules: readonly Rule[];
  /** Names of the properties that are sent. */
  readonly properties: readonly string[];
  /** Number of lists of names that were fetched. */
  readonly fetchedLists: number;
}

/** One line for each fact that applies. */
export function toPlanNotes(facts: PlanNoteFacts): readonly Localized[] {
  return [
    noteOnPrices(facts),
    noteOnCurrency(facts),
    noteOnRules(facts.usedRules),
    noteOnProperties(facts.properties),
    noteOnLists(facts.fetchedLists),
  ].filter((note) => note !== undefined);
}

const UNITS = {
  TL: { tr: "kuruş", en: "kuruş" },
  USD: { tr: "sent", en: "cents" },
  EUR: { tr: "sent", en: "cents" },
} as const;

const SIGNS = {
  comma: { tr: "ondalık ayırıcı virgül", en: "decimal comma" },
  point: { tr: "ondalık ayırıcı nokta", en: "decimal point" },
} as const;

function noteOnPrices({ mapping, notations, prices }: PlanNoteFacts): Localized | undefined {
  if (prices.length === 0) return undefined;
  const column = mapping.columns.find(
    ({ target }) => target.kind === "field" && target.field === "price",
  );
  const sign = notations.columns.get(column?.index ?? -1)?.decimal;
  const write = (lang: Lang): string => {
    const samples = prices.map(
      (price) => `${writtenIn(price, lang)} → ${price.minor} ${UNITS[price.currency][lang]}`,
    );
    const how = sign === undefined ? "" : ` (${SIGNS[sign][lang]})`;
    return `${how}: ${samples.join(" · ")}`;
  };
  return { tr: `Fiyatların gönderilişi${write("tr")}`, en: `Prices as sent${write("en")}` };
}

/** Says which currency prices get where nothing in the file names one. */
function noteOnCurrency({ prices }: PlanNoteFacts): Localized | undefined {
  const isAssumed = prices.length > 0 && prices.every((price) => price.isAssumed === true);
  if (!isAssumed) return undefined;
  return {
    tr: "Dosyada para birimi yazmıyor: yeni ürünlerin fiyatı TL olur, mağazadaki ürünler kendi para biriminde kalır.",
    en: "The file names no currency: prices of new products are TL, and products of the store keep their own.",
  };
}

/** A text as it was written; a number cell with the two decimals of a price. */
function writtenIn({ text, isNumberCell }: PriceSamples["samples"][number], lang: Lang): string {
  const value = Number(text);
  const isNumber = isNumberCell && Number.isFinite(value);
  return isNumber ? formatNumber(value, lang, { minDecimals: 2 }) : text;
}

const MAX_RULES = 3;

function noteOnRules(rules: readonly Rule[]): Localized | undefined {
  if (rules.length === 0) return undefined;
  const shown = rules.slice(0, MAX_RULES).map(({ value, target }) => `${value} → ${target}`);
  const list = shown.join(" · ") + (rules.length > MAX_RULES ? " · …" : "");
  return {
    tr: `${rules.length} kural uygulandı: ${list}`,
    en: `${rules.length === 1 ? "1 rule was" : `${rules.length} rules were`} applied: ${list}`,
  };
}

function noteOnProperties(properties: readonly string[]): Localized | undefined {
  if (properties.length === 0) return undefined;
  const names = properties.join(", ");
  return {
    tr: `Özellik sütunları: ${names}. Pazaryerinin belgesi bu alanı saymıyor, kabul ettiği varsayılıyor; göndermemek için --properties skip.`,
    en: `Property columns: ${names}. The marketplace does not document this field, it is assumed to take it; --properties skip leaves it out.`,
  };
}

function noteOnLists(count: number): Localized | undefined {
  if (count === 0) return undefined;
  return {
    tr: `Adlar için ${formatNumber(count, "tr")} liste pazaryerinden okundu.`,
    en: `${count === 1 ? "1 list of names was" : `${formatNumber(count, "en")} lists of names were`} read from the marketplace.`,
  };
}
