/** Reads and writes amounts with their currency. */

import { type Currency, priceMinor, type PriceMinor } from "@catalog/contract";
import { Big } from "big.js";

import { accept, type IssueParams, type Reading, refuse } from "../issues/issue.ts";
import type { CellValue } from "../source-row.ts";
import { trimText } from "../text-keys.ts";
import { createKeywordReader, type KeywordReader, VALUE_KEYWORDS } from "./keywords.ts";
import {
  type ColumnNotation,
  type DecimalSign,
  EXAMPLE_AMOUNTS,
  groupDigits,
  isFitting,
  readNumberText,
  readSimpleNumber,
  type SimpleNumber,
  UNKNOWN_NOTATION,
  writeOutExponent,
} from "./numbers.ts";

const DASHES = /^[-\u2212–—]+$/u;
const ZERO = /^0+(?:[.,]0+)?$/u;

/**
 * Whether a cell says that there is no such price, as programs write it into the columns of the
 * list price and the discounted price: `0`, `0,00 TL` or `-`.
 */
export function isNoPrice(value: CellValue, text: string): boolean {
  if (typeof value === "number") return value === 0;
  return DASHES.test(text) || ZERO.test(splitCurrency(text)?.number ?? "");
}

/** An amount, and the currency that stood beside it. */
export interface Money {
  readonly minor: PriceMinor;
  /** `undefined` when the cell names none. */
  readonly currency: Currency | undefined;
}

/**
 * Maximum difference between a number cell and two decimals: the rounding error of binary
 * fractions.
 */
const MAX_BINARY_NOISE = 1e-6;

/** No person writes this many decimals; a program that prints a binary fraction does. */
const MIN_NOISE_DECIMALS = 12;

const isBinaryNoise = (amount: Big, rounded: Big): boolean =>
  amount.minus(rounded).abs().lte(MAX_BINARY_NOISE);

const PARTS = /^([^\d.,\-\u2212]*(?:\.(?=\s))?)([-\u2212]?\s?\d(?:[\d.,\s]*\d)?)(\D*)$/u;

const CURRENCY_WORDS: KeywordReader<Currency> = createKeywordReader(VALUE_KEYWORDS.currency);

/** The currency of a word or sign; `undefined` where there is none. */
export const findCurrency = (word: string): Currency | undefined => CURRENCY_WORDS.find(word);

/**
 * Removes the currency from either end; `undefined` when the rest is no number or the word is no
 * currency.
 */
export function splitCurrency(
  text: string,
): { readonly number: string; readonly currency: Currency | undefined } | undefined {
  const [, before = "", number, after = ""] = PARTS.exec(text) ?? [];
  if (number === undefined) return undefined;
  const words = [before, after].map((word) => trimText(word)).filter((word) => word !== "");
  const [currency, ...others] = words.map((word) => findCurrency(word) ?? "unknown");
  if (currency === "unknown" || others.some((other) => other !== currency)) return undefined;
  return { number, currency };
}

/**
 * Reads an amount in major units as minor units: `1.299,90 TL` as 129990. Text is read digit by
 * digit; a number cell may differ by the rounding error of binary fractions.
 */
export function parseMoney(
  value: CellValue,
  notation: ColumnNotation = UNKNOWN_NOTATION,
): Reading<Money> {
  if (typeof value === "number") return fromNumberCell(value);
  if (typeof value !== "string") return refuse("E_NOT_A_NUMBER");
  const text = writeOutExponent(trimText(value));
  const simple = readSimpleNumber(text);
  if (simple !== undefined && isFitting(simple.shape, notation)) return fromSimple(simple);
  const parts = splitCurrency(text);
  if (parts === undefined) return refuseWords(text, notation);
  const reading = readNumberText(parts.number, notation);
  if (!reading.ok) return reading;
  const { amount, decimals } = reading.value;
  if (amount.lte(0)) return refuse("E_PRICE_NOT_POSITIVE");
  const rounded = amount.round(2, Big.roundHalfEven);
  // Programs write `12.5000` for 12.50, and `58.120000000000005` for what they hold as 58.12.
  const isNoise = decimals >= MIN_NOISE_DECIMALS && isBinaryNoise(amount, rounded);
  if (!rounded.eq(amount) && !isNoise) {
    return refuse("E_PRICE_PRECISION", toExample(notation));
  }
  return toMoney(rounded.times(100), parts.currency);
}

/** An amount as the column writes it, for texts that say how to write one. */
const toExample = ({ decimal }: ColumnNotation): IssueParams =>
  decimal === undefined ? {} : { example: EXAMPLE_AMOUNTS[decimal] };

/** Signs and words of currencies that the marketplace does not take, besides the codes of ISO 4217. */
const FOREIGN_SIGN =
  /^(?:[A-Z]{1,3})?\p{Sc}$|^(?:rs|kr|zł|kč|ft|lei|лв|руб|rm|sterlin|pounds?|frank|ruble|yen|yuan|riyal|dirhem|dirham|manat|leva)\.?$/iu;

/** Names the currency of an amount that the marketplace does not take: without it the amount is TL. */
function refuseWords(text: string, notation: ColumnNotation): Reading<never> {
  const [, before = "", number, after = ""] = PARTS.exec(text) ?? [];
  const words = [before, after].map((word) => trimText(word)).filter((word) => word !== "");
  const foreign = words.find(isForeign);
  const isAmount = words.every((word) => isForeign(word) || findCurrency(word) !== undefined);
  if (number === undefined || foreign === undefined || !isAmount) {
    return refuse("E_NOT_A_NUMBER", toExample(notation));
  }
  return refuse("E_PRICE_CURRENCY.unknown", { foreign });
}

const isForeign = (word: string): boolean =>
  findCurrency(word) === undefined &&
  (FOREIGN_SIGN.test(word) || Intl.supportedValuesOf("currency").includes(word.toUpperCase()));

function fromSimple({ whole, hundredths }: SimpleNumber): Reading<Money> {
  const minor = whole * 100 + hundredths;
  if (minor === 0) return refuse("E_PRICE_NOT_POSITIVE");
  return accept({ minor: priceMinor.parse(minor), currency: undefined });
}

function fromNumberCell(value: number): Reading<Money> {
  if (!Number.isFinite(value)) return refuse("E_NOT_A_NUMBER");
  const amount = new Big(String(value));
  if (amount.lte(0)) return refuse("E_PRICE_NOT_POSITIVE");
  const rounded = amount.round(2, Big.roundHalfEven);
  if (!isBinaryNoise(amount, rounded)) return refuse("E_PRICE_PRECISION");
  if (rounded.eq(0)) return refuse("E_PRICE_NOT_POSITIVE");
  return toMoney(rounded.times(100), undefined);
}

function toMoney(minor: Big, currency: Currency | undefined): Reading<Money> {
  if (minor.gt(Number.MAX_SAFE_INTEGER)) return refuse("E_NUMBER_TOO_LARGE");
  return accept({ minor: priceMinor.parse(Number(minor.toFixed(0))), currency });
}

/** Formats minor units as an amount: 129990 is `1.299,90` with a decimal comma. */
export function formatMoney(minor: number, decimal: DecimalSign = "comma"): string {
  const [whole = "", cents = ""] = new Big(minor).div(100).toFixed(2).split(".");
  const [group, sign] = decimal === "comma" ? [".", ","] : [",", "."];
  return `${groupDigits(whole, group)}${sign}${cents}`;
}
