/**
 * Reads numbers as people write them, digit by digit: no text is converted through a float, and an
 * ambiguous text is refused.
 */

import type { Localized } from "@catalog/i18n";
import { Big } from "big.js";

import { accept, type Reading, refuse } from "../issues/issue.ts";
import type { CellValue } from "../source-row.ts";
import { fold, trimText } from "../text-keys.ts";

const GROUP = 3;

/**
 * Groups digits by thousands with a sign: `129990` becomes `129.990`. `digits` must hold digits
 * only.
 */
export function groupDigits(digits: string, sign: string): string {
  const first = digits.length % GROUP || GROUP;
  const groups = [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += GROUP) groups.push(digits.slice(at, at + GROUP));
  return groups.join(sign);
}

/** Removes a percent sign at either end with the blanks beside it: `%15` and `15 %` become 15. */
export function trimPercent(text: string): string {
  const behind = text.startsWith("%") ? text.slice(1).trimStart() : text;
  return behind.endsWith("%") ? behind.slice(0, -1).trimEnd() : behind;
}

/** The sign before the decimals: `1.299,90` has a comma, `1,299.90` a point. */
export type DecimalSign = "comma" | "point";

/** Which decimal sign the way a number is written proves. */
type NumberShape = DecimalSign | "plain" | "ambiguous";

/** How the numbers of one column are written. */
export interface ColumnNotation {
  /** `undefined` when no cell of the column gives evidence. */
  readonly decimal: DecimalSign | undefined;
  /** Whether cells give evidence for both signs, so that an ambiguous cell stays ambiguous. */
  readonly isMixed: boolean;
  /** A cell with each sign, such as `H4 “52.50”`, where a column has both. */
  readonly seen?: Readonly<Record<DecimalSign, string>> | undefined;
}

/** A column without evidence. */
export const UNKNOWN_NOTATION: ColumnNotation = { decimal: undefined, isMixed: false };

const GROUP_SPACES = /[\u00a0\u2009\u202f]/gu;
const SPACED = /^\d{1,3}(?: \d{3})+(?:[.,]\d+)?$/u;
const PLAIN = /^\d+$/u;
const COMMA = /^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$/u;
const POINT = /^\d{1,3}(?:,\d{3})+\.\d+$|^\d{1,3}(?:,\d{3}){2,}$/u;
const ONE_SIGN = /^(\d+)([.,])(\d+)$/u;
const MINUS = /^[-\u2212]\s*/u;

/**
 * A number as most cells have it: digits, and a sign with one or two decimals, which cannot be a
 * thousands separator.
 */
export interface SimpleNumber {
  readonly shape: NumberShape;
  /** Value of the digits before the sign; `hundredths` holds those behind it. */
  readonly whole: number;
  readonly hundredths: number;
  readonly decimals: number;
}

/** So few digits that the number times a hundred is exact. */
const SIMPLE = /^(\d{1,12})(?:([.,])(\d{1,2}))?$/u;

/** Reads a number with whole-number arithmetic only; `undefined` where the text needs more. */
export function readSimpleNumber(text: string): SimpleNumber | undefined {
  const [, whole, sign, rest = ""] = SIMPLE.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return {
    shape: sign === undefined ? "plain" : signName(sign),
    whole: Number(whole),
    hundredths: Number(rest.padEnd(2, "0")),
    decimals: rest.length,
  };
}

/** Whole digits with an exponent, as programs write round numbers: `1e2`, `1e+05`. */
const EXPONENT = /^(\d{1,9})e\+?0*(\d{1,2})$/u;

/**
 * Writes a round number out that a program wrote with an exponent; any other text stays as it is.
 * A capital E comes from spreadsheets, which cut digits off, and so may a fraction before it.
 */
export function writeOutExponent(text: string): string {
  const [, digits, zeros] = EXPONENT.exec(text) ?? [];
  return digits === undefined ? text : `${digits}${"0".repeat(Number(zeros))}`;
}

/** Whether a number of this shape agrees with the notation of its column. */
export const isFitting = (shape: NumberShape, { decimal, isMixed }: ColumnNotation): boolean =>
  shape === "plain" || (decimal === undefined ? !isMixed : decimal === shape);

/** The shape of an unsigned number; `undefined` when the text is none. Only ASCII digits count. */
export function readShape(text: string): NumberShape | undefined {
  if (PLAIN.test(text)) return "plain";
  const body = text.replaceAll(GROUP_SPACES, " ");
  if (body.includes(" ")) return SPACED.test(body) ? shapeOfLast(body) : undefined;
  if (COMMA.test(body)) return "comma";
  if (POINT.test(body)) return "point";
  return shapeOfOneSign(body);
}

function shapeOfOneSign(body: string): NumberShape | undefined {
  const [, whole = "", sign, rest = ""] = ONE_SIGN.exec(body) ?? [];
  if (sign === undefined) return undefined;
  // "0.125" cannot be a thousands group, "1.299" can.
  const canBeGroup = rest.length === 3 && whole.length <= 3 && !whole.startsWith("0");
  return canBeGroup ? "ambiguous" : signName(sign);
}

const signName = (sign: string): DecimalSign => (sign === "," ? "comma" : "point");

/** Blanks separate the thousands, so any other sign is the decimal one. */
function shapeOfLast(body: string): NumberShape {
  const sign = /[.,]/u.exec(body)?.[0];
  return sign === undefined ? "plain" : signName(sign);
}

/** A number with exactly the digits that were written. */
interface WrittenNumber {
  readonly amount: Big;
  /** Number of digits after the decimal sign. */
  readonly decimals: number;
}

/** Reads a text by the notation of its column. */
export function readNumberText(text: string, notation: ColumnNotation): Reading<WrittenNumber> {
  const unsigned = text.replace(MINUS, "");
  const shape = readShape(unsigned);
  if (shape === undefined) return refuse("E_NOT_A_NUMBER");
  if (shape === "plain") return accept(written(text, "point"));
  if (shape === "ambiguous") {
    if (notation.decimal === undefined || notation.isMixed) return refuse("E_NUMBER_AMBIGUOUS");
    return accept(written(text, notation.decimal));
  }
  return isFitting(shape, notation) ? accept(written(text, shape)) : refuseMixed(shape, notation);
}

/** An amount with each decimal sign, for texts that say how to write one. */
export const EXAMPLE_AMOUNTS: Readonly<Record<DecimalSign, string>> = {
  comma: "1299,90",
  point: "1299.90",
};

function refuseMixed(shape: DecimalSign, { seen }: ColumnNotation): Reading<never> {
  const other = shape === "comma" ? "point" : "comma";
  return seen === undefined
    ? refuse("E_NUMBER_MIXED", { example: EXAMPLE_AMOUNTS[other] })
    : refuse("E_NUMBER_MIXED.seen", {
        sign: SIGNS[shape],
        other: seen[other],
        otherSign: SIGNS[other],
      });
}

const SIGNS: Readonly<Record<DecimalSign, Localized>> = {
  comma: { tr: "virgül", en: "comma" },
  point: { tr: "nokta", en: "point" },
};

function written(text: string, decimal: DecimalSign): WrittenNumber {
  const unsigned = text.replace(MINUS, "").replaceAll(/\s/gu, "");
  const digits =
    decimal === "comma"
      ? unsigned.replaceAll(".", "").replace(",", ".")
      : unsigned.replaceAll(",", "");
  const point = digits.indexOf(".");
  const amount = new Big(digits);
  return {
    amount: MINUS.test(text) ? amount.neg() : amount,
    decimals: point < 0 ? 0 : digits.length - point - 1,
  };
}

/**
 * Reads a whole number of either sign. Decimals that are zeros are read, as other programs write
 * them: `15.0`, `35,00`. `12.000` can be another number, and is read by the notation of its column
 * alone.
 */
export function parseWholeNumber(
  value: CellValue,
  notation: ColumnNotation = UNKNOWN_NOTATION,
): Reading<number> {
  if (typeof value === "number") return checkSize(value);
  if (typeof value !== "string") return refuse("E_NOT_A_NUMBER");
  const text = writeOutExponent(trimText(value));
  const simple = readSimpleNumber(text);
  if (simple?.shape === "plain") return accept(simple.whole);
  const reading = readNumberText(text, notation);
  if (!reading.ok) return reading;
  const { amount } = reading.value;
  const isWhole = amount.round(0).eq(amount);
  return isWhole ? checkSize(Number(amount.toFixed(0))) : refuse("E_NOT_INTEGER");
}

function checkSize(value: number): Reading<number> {
  if (!Number.isFinite(value)) return refuse("E_NOT_A_NUMBER");
  if (!Number.isInteger(value)) return refuse("E_NOT_INTEGER");
  return Number.isSafeInteger(value) ? accept(value) : refuse("E_NUMBER_TOO_LARGE");
}

function checkStock(count: number): Reading<number> {
  if (count < 0) return refuse("E_STOCK_NEGATIVE");
  return isBarcode(String(count)) ? refuse("E_NUMBER_TOO_LARGE.stock") : accept(count);
}

/** Whether these are as many digits as bar codes have; nines stand for a stock that never ends. */
const isBarcode = (digits: string): boolean => /^\d{12,14}$/u.test(digits) && !/^9+$/u.test(digits);

/** Reads a stock count: a whole number, zero or more, or a word for no stock, such as `Tükendi`. */
export function parseStock(value: CellValue, notation?: ColumnNotation): Reading<number> {
  const reading = parseWholeNumber(value, notation);
  if (reading.ok) return checkStock(reading.value);
  if (reading.problem.text !== "E_NOT_A_NUMBER") return reading;
  const text = String(value ?? "");
  if (isNoStock(text)) return accept(0);
  const count = readPieces(text);
  if (count !== undefined) return accept(count);
  return refuse(isSomeStock(text) ? "E_NOT_A_NUMBER.some" : "E_NOT_A_NUMBER.count");
}

/** Words that say nothing but that there is no stock, folded. */
const NO_STOCK: ReadonlySet<string> = new Set([
  "yok",
  "stok yok",
  "stokta yok",
  "stoklarda yok",
  "tukendi",
  "stok tukendi",
  "stokta kalmadi",
  "none",
  "no stock",
  "out of stock",
  "sold out",
]);

/** Whether the text says that there is no stock. */
const isNoStock = (text: string): boolean => NO_STOCK.has(fold(text));

/** Words that say that there is some stock, folded. */
const SOME_STOCK: ReadonlySet<string> = new Set([
  "var",
  "stok var",
  "stokta",
  "stokta var",
  "mevcut",
  "bol",
  "yes",
  "in stock",
  "instock",
  "available",
]);

/** A lower bound, such as `10+`, `>100` or `100 ve üzeri`. */
const AT_LEAST = /^(?:[>≥]=?\s*\d{1,7}|\d{1,7}\s*(?:\+|ve üzeri|ve üstü|or more))$/iu;

/** Whether the text says that there is stock, but not how much. */
const isSomeStock = (text: string): boolean =>
  SOME_STOCK.has(fold(text)) || AT_LEAST.test(trimText(text));

/** A count with the word for single pieces; boxes and sets hold more than one. */
const PIECES = /^(?<count>\d{1,9})\s*(?:adet|ad|tane|pcs?|pieces?|units?)\.?$/iu;

/**
 * The count of a cell with a word for pieces: 15 for `15 adet`; `undefined` for any other text, such
 * as a number of boxes.
 */
function readPieces(text: string): number | undefined {
  const { count } = PIECES.exec(trimText(text))?.groups ?? {};
  return count === undefined ? undefined : Number(count);
}

const NUMBER = /\d(?:[\d.,\s]*\d)?/u;

/** The text with its number rewritten for a decimal sign, as `1299,9` for `1299.9`. */
export function rewriteDecimals(text: string, decimal: DecimalSign): string {
  const [group, sign, other] = decimal === "comma" ? [",", ",", "."] : [".", ".", ","];
  return text.replace(NUMBER, (number) =>
    number.replaceAll(/\s/gu, "").replaceAll(group, "").replace(other, sign),
  );
}
