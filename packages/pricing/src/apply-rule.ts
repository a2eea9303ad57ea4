/**
 * Applies one rule. The steps of a price have one order: currency, tax that is added, markup, amount
 * that is added, margin, rounding, limits.
 */

import { formatMinor, formatNumber, type Lang, type Localized } from "@catalog/i18n";
import { Big } from "big.js";

import { nameRule, nameSource, type PriceRule } from "./rule.ts";
import { type Fees, percent } from "./sale-cost.ts";

/** The value that a rule made, and how. */
export interface RuleResult {
  /** In minor units, or pieces. */
  readonly value: number;
  /** Such as `R3: +%12, ,90'a yuvarlandı: 112,40 → 125,90`. */
  readonly text: Localized;
}

/** Exact but for the one division of a margin, of which so many decimals are kept. */
const Decimal = Big();
Decimal.DP = 40;

interface Step {
  readonly value: Big;
  readonly text?: Localized;
}

/**
 * Makes a price from the amount of the rule's source, both in minor units. `undefined` where no
 * price above zero comes out, or margin and fees leave nothing. `fees` are those of the row, which
 * another rule may state.
 */
export function applyPriceRule(
  rule: PriceRule,
  sourceMinor: number,
  fees: Fees = {},
): RuleResult | undefined {
  const made = runSteps(rule, new Decimal(sourceMinor).div(100), fees);
  if (made === undefined) return undefined;
  const { value, texts } = made;
  const minor = Number(value.times(100).toFixed(0));
  if (minor <= 0 || !Number.isSafeInteger(minor)) return undefined;
  const write = (lang: Lang): string => {
    const steps = texts.map((text) => text[lang]).join(", ");
    const done = `${formatMinor(sourceMinor, lang)} → ${formatMinor(minor, lang)}`;
    const how = [...nameOf(rule, lang), ...(steps === "" ? [] : [steps])].join(" ");
    return `${nameRule(rule)}: ${how === "" ? "" : `${how}: `}${done}`;
  };
  return { value: minor, text: { tr: write("tr"), en: write("en") } };
}

const STEPS = [convert, addTax, markUp, add, keepMargin, roundOff, limit] as const;

function runSteps(
  rule: PriceRule,
  source: Big,
  fees: Fees,
): { readonly value: Big; readonly texts: readonly Localized[] } | undefined {
  const texts: Localized[] = [];
  let value = source;
  for (const step of STEPS) {
    const made = step(value, rule, fees);
    if (made === undefined) return undefined;
    ({ value } = made);
    if (made.text !== undefined) texts.push(made.text);
  }
  return { value, texts };
}

/** Only a source that is not the file's own price has to be named. */
const nameOf = ({ source }: PriceRule, lang: Lang): readonly string[] =>
  source === "price" ? [] : [nameSource(source)[lang]];

/** A rule in words, for a table of rules. */
interface DescribedRule {
  /** Which products it is for. */
  readonly products: Localized;
  readonly does: Localized;
}

/** Says which products a rule is for, and what it does to their price and stock. */
export function describeRule(rule: PriceRule): DescribedRule {
  const parts = [describePrice(rule), describeStock(rule)].filter(({ tr }) => tr !== "");
  const write = (lang: Lang): string => parts.map((part) => part[lang]).join("; ");
  return { products: describeConditions(rule), does: { tr: write("tr"), en: write("en") } };
}

/** The steps to a price in words. */
function describePrice(rule: PriceRule): Localized {
  // Limits are those of the rule, whatever the price; nothing has been rounded yet.
  const { min, max, ending, direction, ...steps } = rule;
  const { texts } = runSteps(steps, new Decimal(100), rule) ?? { texts: [] };
  const ends = [
    ...(ending === undefined ? [] : [describeEnding(ending, "yuvarlanır", direction)]),
    ...(min === undefined ? [] : [limited(min, "en az", "at least").text]),
    ...(max === undefined ? [] : [limited(max, "en çok", "at most").text]),
  ];
  const fees = describeFees(rule);
  const write = (lang: Lang): string =>
    [...nameOf(rule, lang), ...[...texts, ...ends, ...fees].map((text) => text[lang])].join(", ");
  return { tr: write("tr"), en: write("en") };
}

/** Fees of a rule without a margin, which names them itself. */
function describeFees({ commission, vat, margin }: PriceRule): readonly Localized[] {
  if (margin !== undefined) return [];
  const parts: readonly (readonly [value: string | undefined, tr: string, en: string])[] = [
    [commission, "komisyon", "commission"],
    [vat, "KDV", "VAT"],
  ];
  return parts
    .filter(([value]) => value !== undefined)
    .map(([value, tr, en]) => ({
      tr: `${tr} ${percent(value, "tr")}`,
      en: `${en} ${percent(value, "en")}`,
    }));
}

const unchanged = (value: Big): Step => ({ value });

function convert(value: Big, { currency, rate, rateDate = "" }: PriceRule): Step {
  if (currency === undefined || rate === undefined) return unchanged(value);
  const date = rateDate.split("-").toReversed().join(".");
  const write = (lang: Lang): string =>
    `${currency} × ${formatNumber(Number(rate), lang, { maxDecimals: 6 })} (${date})`;
  return { value: value.times(rate), text: { tr: write("tr"), en: write("en") } };
}

function addTax(value: Big, { addVat }: PriceRule): Step {
  if (addVat === undefined) return unchanged(value);
  const text = { tr: `+KDV ${percent(addVat, "tr")}`, en: `+VAT ${percent(addVat, "en")}` };
  return { value: grow(value, addVat), text };
}

function markUp(value: Big, { markup }: PriceRule): Step {
  if (markup === undefined) return unchanged(value);
  const write = (lang: Lang): string => `${sign(markup)}${percent(markup.replace("-", ""), lang)}`;
  return { value: grow(value, markup), text: { tr: write("tr"), en: write("en") } };
}

const grow = (value: Big, by: string): Big => value.times(new Decimal(by).plus(100)).div(100);

const sign = (value: string): string => (value.startsWith("-") ? "−" : "+");

function add(value: Big, { addition }: PriceRule): Step {
  if (addition === undefined) return unchanged(value);
  const minor = Number(new Decimal(addition).times(100).abs().toFixed(0));
  const write = (lang: Lang): string => `${sign(addition)}${formatMinor(minor, lang)}`;
  return { value: value.plus(addition), text: { tr: write("tr"), en: write("en") } };
}

/**
 * The price of which the margin is left after the commission, the tax within it and the value so
 * far: p = value / (1 − margin − commission − vat / (100 + vat)), written with one division.
 */
function keepMargin(value: Big, { margin }: PriceRule, fees: Fees): Step | undefined {
  if (margin === undefined) return unchanged(value);
  const { commission = "0", vat = "0" } = fees;
  const taxed = new Decimal(vat).plus(100);
  const rest = new Decimal(100)
    .minus(margin)
    .minus(commission)
    .times(taxed)
    .minus(taxed.minus(100).times(100));
  if (rest.lte(0)) return undefined;
  const write = (lang: Lang): string => {
    const [name, commissionName, taxName] =
      lang === "tr" ? ["marj", "komisyon", "KDV"] : ["margin", "commission", "VAT"];
    const parts = [
      `${name} ${percent(margin, lang)}`,
      ...(fees.commission === undefined ? [] : [`${commissionName} ${percent(commission, lang)}`]),
      ...(fees.vat === undefined ? [] : [`${taxName} ${percent(vat, lang)}`]),
    ];
    return parts.join(" + ");
  };
  return {
    value: value.times(taxed).times(100).div(rest),
    text: { tr: write("tr"), en: write("en") },
  };
}

/** Without an ending a price is rounded to the nearest minor unit, half of one up. */
function roundOff(value: Big, { ending, direction = "up" }: PriceRule): Step {
  if (ending === undefined) return unchanged(value.round(2, Big.roundHalfUp));
  const last = new Decimal(ending).div(100);
  const above = value.minus(last).round(0, Big.roundUp);
  // `roundUp` goes away from zero, so that a value below the first ending would come out below it.
  const up = (value.lte(last) ? new Decimal(0) : above).plus(last);
  const down = up.gt(value) ? up.minus(1) : up;
  const isDown =
    direction === "down" || (direction === "nearest" && value.minus(down).lt(up.minus(value)));
  const wanted = isDown ? down : up;
  // The lowest price with the ending, as there is none below it.
  const lowest = last.eq(0) ? new Decimal(1) : last;
  return {
    value: wanted.lt(lowest) ? lowest : wanted,
    text: describeEnding(ending, "yuvarlandı", direction),
  };
}

/** The dative of the numbers in Turkish, by their last word. */
const ONES = ["", "e", "ye", "e", "e", "e", "ya", "ye", "e", "a"];
const TENS = ["", "a", "ye", "a", "a", "ye", "a", "e", "e", "a"];

function describeEnding(
  ending: string,
  verb: "yuvarlandı" | "yuvarlanır",
  direction: PriceRule["direction"] = "up",
): Localized {
  const [tens = "0", ones = "0"] = ending;
  const how = { up: "", down: "aşağı ", nearest: "en yakın " }[direction];
  const by = { up: "", down: " down", nearest: " to the nearest" }[direction];
  if (ending === "00") {
    return { tr: `${how}tam sayıya ${verb}`, en: `rounded${by} to a whole number` };
  }
  const suffix = ones === "0" ? TENS[Number(tens)] : ONES[Number(ones)];
  return { tr: `${how},${ending}'${suffix} ${verb}`, en: `rounded${by} to .${ending}` };
}

function limit(value: Big, { min, max }: PriceRule): Step {
  if (min !== undefined && value.lt(min)) return limited(min, "en az", "at least");
  if (max !== undefined && value.gt(max)) return limited(max, "en çok", "at most");
  return unchanged(value);
}

function limited(to: string, tr: string, en: string): Required<Step> {
  const minor = Number(new Decimal(to).times(100).toFixed(0));
  const text = { tr: `${tr} ${formatMinor(minor, "tr")}`, en: `${en} ${formatMinor(minor, "en")}` };
  return { value: new Decimal(to), text };
}

/** Which products a rule is for, in words. */
function describeConditions(rule: PriceRule): Localized {
  const { category, brand, supplier, from, below } = rule;
  const parts: readonly (readonly [value: string | undefined, tr: string, en: string])[] = [
    [category, "kategori", "category"],
    [brand, "marka", "brand"],
    [supplier, "tedarikçi", "supplier"],
    [from, "fiyat ≥", "price ≥"],
    [below, "fiyat <", "price <"],
  ];
  const given = parts.filter(([value]) => value !== undefined);
  if (given.length === 0) return { tr: "her ürün", en: "every product" };
  return {
    tr: given.map(([value, tr]) => `${tr} ${value}`).join(", "),
    en: given.map(([value, , en]) => `${en} ${value}`).join(", "),
  };
}

/** What a rule does to a stock in words, for a table of rules; empty where it does nothing. */
function describeStock({ buffer, zeroUnder, stockMin, stockMax }: PriceRule): Localized {
  const parts: readonly (readonly [value: number | undefined, tr: string, en: string])[] = [
    [buffer, `stok −${buffer} pay`, `stock −${buffer} buffer`],
    [zeroUnder, `${zeroUnder} altı 0`, `0 under ${zeroUnder}`],
    [stockMin, `en az ${stockMin}`, `at least ${stockMin}`],
    [stockMax, `en çok ${stockMax}`, `at most ${stockMax}`],
  ];
  const given = parts.filter(([value]) => value !== undefined);
  return {
    tr: given.map(([, tr]) => tr).join(", "),
    en: given.map(([, , en]) => en).join(", "),
  };
}

/**
 * Makes a stock: less the buffer, shown as 0 below the threshold, then within the limits. What is
 * sold out stays at 0.
 */
export function applyStockRule(rule: PriceRule, stock: number): RuleResult {
  const { buffer = 0, zeroUnder = 0, stockMin = 0, stockMax } = rule;
  const texts: Localized[] = [];
  const note = (tr: string, en: string): void => void texts.push({ tr, en });
  let value = Math.max(0, stock - buffer);
  if (buffer > 0) note(`−${buffer} pay`, `−${buffer} buffer`);
  if (value < zeroUnder) {
    if (value > 0) note(`${zeroUnder} altı 0`, `0 under ${zeroUnder}`);
    value = 0;
  }
  if (value > 0 && value < stockMin) {
    value = stockMin;
    note(`en az ${stockMin}`, `at least ${stockMin}`);
  }
  if (stockMax !== undefined && value > stockMax) {
    value = stockMax;
    note(`en çok ${stockMax}`, `at most ${stockMax}`);
  }
  const write = (lang: Lang): string => {
    const steps = texts.map((text) => text[lang]).join(", ");
    const [from, to] = [stock, value].map((number) => formatNumber(number, lang));
    return `${nameRule(rule)}: ${steps === "" ? "" : `${steps}: `}${from} → ${to}`;
  };
  return { value, text: { tr: write("tr"), en: write("en") } };
}
