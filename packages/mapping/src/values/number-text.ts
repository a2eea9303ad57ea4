/**
 * Reads numbers as people write them, digit by digit: no text is converted through a float, and an
 * ambiguous text is refused.
 */

import type { Localized } from "@catalog/i18n";
import { Big } from "big.js";

import { accept, type Reading, refuse } from "../issues/issue.ts";

/** The sign before the decimals: `1.299,90` has a comma, `1,299.90` a point. */
export type DecimalSign = "comma" | "point";

/** Which decimal sign the way a number is written proves. */
export type NumberShape = DecimalSign | "plain" | "ambiguous";

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
export interface WrittenNumber {
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
