/**
 * Numbers as people write them, digit by digit: no text passes through a float on its way, and
 * nothing that can be read in two ways is read.
 */

import { Big } from "big.js";

import { accept, type Reading, refuse } from "../issues/issue.ts";

/** The sign before the decimals: `1.299,90` has a comma, `1,299.90` a point. */
export type DecimalSign = "comma" | "point";

/** What the way a number is written tells about its decimal sign. */
export type NumberShape = DecimalSign | "plain" | "ambiguous";

/** How the numbers of one column are written. */
export interface ColumnNotation {
  /** Nothing when no cell of the column tells. */
  readonly decimal: DecimalSign | undefined;
  /** Some cells say one thing and some the other, so a doubtful one is not settled by the rest. */
  readonly isMixed: boolean;
}

/** A column of which nothing is known. */
export const UNKNOWN_NOTATION: ColumnNotation = { decimal: undefined, isMixed: false };

const GROUP_SPACES = /[\u00a0\u2009\u202f]/gu;
const SPACED = /^\d{1,3}(?: \d{3})+(?:[.,]\d+)?$/u;
const PLAIN = /^\d+$/u;
const COMMA = /^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$/u;
const POINT = /^\d{1,3}(?:,\d{3})+\.\d+$|^\d{1,3}(?:,\d{3}){2,}$/u;
const ONE_SIGN = /^(\d+)([.,])(\d+)$/u;
const MINUS = /^[-\u2212]\s*/u;

/** A number as most cells have it: digits, and a sign with one or two decimals that groups nothing. */
export interface SimpleNumber {
  readonly shape: NumberShape;
  /** Of the digits before the sign, and of those behind it. */
  readonly whole: number;
  readonly hundredths: number;
  readonly decimals: number;
}

/** So few digits that a hundred times the number is exact. */
const SIMPLE = /^(\d{1,12})(?:([.,])(\d{1,2}))?$/u;

/** Reads what needs no arithmetic beyond whole numbers; nothing where a text is any more than that. */
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

/** Whether a number of this shape stands in a column of this notation without contradicting it. */
export const isFitting = (shape: NumberShape, { decimal, isMixed }: ColumnNotation): boolean =>
  shape === "plain" || (decimal === undefined ? !isMixed : decimal === shape);

/** The shape of an unsigned number, or nothing when it is none. Only ASCII digits count. */
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
  // "0.125" cannot be a group of three, "1.299" can.
  const canBeGroup = rest.length === 3 && whole.length <= 3 && !whole.startsWith("0");
  return canBeGroup ? "ambiguous" : signName(sign);
}

const signName = (sign: string): DecimalSign => (sign === "," ? "comma" : "point");

/** Blanks group the thousands, so any sign is the decimal one. */
function shapeOfLast(body: string): NumberShape {
  const sign = /[.,]/u.exec(body)?.[0];
  return sign === undefined ? "plain" : signName(sign);
}

/** A number as it was written, exactly. */
export interface WrittenNumber {
  readonly amount: Big;
  /** Digits after the decimal sign. */
  readonly decimals: number;
}

/** Reads a text by its column's notation. */
export function readNumberText(text: string, notation: ColumnNotation): Reading<WrittenNumber> {
  const unsigned = text.replace(MINUS, "");
  const shape = readShape(unsigned);
  if (shape === undefined) return refuse("E_NOT_A_NUMBER");
  if (shape === "plain") return accept(written(text, "point"));
  if (shape === "ambiguous") {
    if (notation.decimal === undefined || notation.isMixed) return refuse("E_NUMBER_AMBIGUOUS");
    return accept(written(text, notation.decimal));
  }
  return isFitting(shape, notation) ? accept(written(text, shape)) : refuse("E_NUMBER_MIXED");
}

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
