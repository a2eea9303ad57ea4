/** Reads number cells, whose displayed number must agree with the stored one. */

import { type Currency, DISCOUNT_RATE, priceMinor } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";

import { accept, type Reading, refuse } from "../issues/issue.ts";
import type { CellTrait, CellValue } from "../rows/source-row.ts";
import {
  type CellDisplay,
  type CellDisplays,
  isSameAmount,
  type ShownNumber,
} from "./cell-display.ts";
import { findCurrency, type Money, parseMoney } from "./money.ts";
import type { ColumnNotation } from "./number-text.ts";
import { trimPercent } from "./trim-percent.ts";
import { parseStock, parseWholeNumber } from "./whole-number.ts";

/** A cell that should hold a number. */
export interface NumberCell {
  readonly value: CellValue;
  /** The number format, where it has one. */
  readonly format: string | undefined;
  /** @default no fact is known */
  readonly trait?: CellTrait | undefined;
}

/** How the numbers of a column are read. */
export interface NumberReading {
  readonly displays: CellDisplays;
  readonly notation: ColumnNotation;
}

/** An amount of a cell. */
export interface CellMoney extends Money {
  /** How the cell displays it, where only the number format names the currency. */
  readonly shown: Localized | undefined;
}

/** Makes a problem with both readings, or with the reason why one is hidden. */
export function refuseDisplay(display: CellDisplay | "unknown", format = ""): Reading<never> {
  if (display === "unknown") return refuse("E_CELL_FORMAT.unknown", { format });
  if (display.shown.tr === "") return refuse("E_CELL_FORMAT.hidden");
  return refuse("E_CELL_FORMAT", { shown: display.shown });
}

/**
 * The display of a number cell, where it differs from the plain number; `undefined` where it does
 * not.
 */
function displayOf(
  { value, format }: NumberCell,
  displays: CellDisplays,
): CellDisplay | "unknown" | undefined {
  if (typeof value !== "number" || format === undefined) return undefined;
  return displays.isExact(value, format) ? undefined : displays.displayOf(value, format);
}

/** Reads an amount of a cell; in a number cell the format can name the currency. */
export function readMoneyCell(
  cell: NumberCell,
  { displays, notation }: NumberReading,
): Reading<CellMoney> {
  const reading = parseMoney(cell.value, notation);
  const display = displayOf(cell, displays);
  if (display === undefined) return withoutFormat(reading);
  if (display === "unknown") return refuseDisplay(display, cell.format);
  if (!reading.ok) return readRounded(cell, display) ?? asShown(reading, display);
  const words = agreeingWords(cell, display);
  const currency = words === undefined ? "unknown" : currencyOf(words);
  if (currency === "unknown") return refuseDisplay(display);
  return accept({ ...reading.value, currency, shown: currency && display.shown });
}

const TWO_DECIMALS = /^(\d+)\.(\d{2})$/u;

/** Half of the last digit that two decimals display, with the rounding error of fractions. */
const MAX_ROUNDING = 0.005_001;

/**
 * Reads the result of a formula as its cell displays it, where that is two decimals; a result with
 * more is how a formula computes, and not what a person means by the price.
 */
function readRounded(
  { value, trait }: NumberCell,
  { number, shown }: CellDisplay,
): Reading<CellMoney> | undefined {
  if (trait !== "formula" || number === undefined) return undefined;
  const [, whole, cents] = TWO_DECIMALS.exec(number.digits) ?? [];
  const minor = Number(`${whole}${cents}`);
  const isRounding = Math.abs(number.amount - Number(value)) <= MAX_ROUNDING;
  if (whole === undefined || minor === 0 || !isRounding) return undefined;
  const currency = currencyOf([number.before, number.after]);
  if (currency === "unknown") return undefined;
  return accept({ minor: priceMinor.parse(minor), currency, shown: currency && shown });
}

/** The currency that all words around an amount name; `undefined` where there are none. */
function currencyOf(words: readonly string[]): Currency | "unknown" | undefined {
  const telling = words
    .map((word) => word.replaceAll(HARMLESS_IN_MONEY, "").trim())
    .filter((word) => word !== "");
  const [first, ...others] = telling.map((word) => findCurrency(word) ?? "unknown");
  return others.every((other) => other === first) ? first : "unknown";
}

/** Texts for a number that has more decimals than allowed and displays fewer of them. */
const SHOWN_TEXTS: ReadonlyMap<string, "E_PRICE_PRECISION.shown" | "E_NOT_INTEGER.shown"> = new Map(
  [
    ["E_PRICE_PRECISION", "E_PRICE_PRECISION.shown"],
    ["E_NOT_INTEGER", "E_NOT_INTEGER.shown"],
  ],
);

/** Adds the cell's display to a refusal. */
function asShown(
  reading: Extract<Reading<unknown>, { readonly ok: false }>,
  { shown }: CellDisplay,
): Reading<never> {
  const text = shown.tr === "" ? undefined : SHOWN_TEXTS.get(reading.problem.text);
  return text === undefined ? reading : refuse(text, { shown });
}

function withoutFormat(reading: Reading<Money>): Reading<CellMoney> {
  return reading.ok ? accept({ ...reading.value, shown: undefined }) : reading;
}

/** Additions that are true of every price: per piece, and tax included. */
const HARMLESS_IN_MONEY = /\/\s*adet|\(?kdv dahil\)?|\(?incl\.? vat\)?/giu;

/** The words around the digits, where the digits equal the stored value. */
function agreeingWords({ value }: NumberCell, display: CellDisplay): readonly string[] | undefined {
  const { number } = display;
  if (number === undefined || !isSameAmount(number.amount, Number(value))) return undefined;
  return [number.before, number.after].filter((word) => word !== "");
}

const UNITS: ReadonlySet<string> = new Set([
  "adet",
  "ad",
  "ad.",
  "pcs",
  "pcs.",
  "piece",
  "pieces",
  "unit",
  "units",
]);

/** Reads a stock count: a whole number of pieces, zero or more. */
export function readStockCell(
  cell: NumberCell,
  { displays, notation }: NumberReading,
): Reading<number> {
  const reading = parseStock(cell.value, notation);
  const display = displayOf(cell, displays);
  if (display === undefined) return reading;
  if (display === "unknown") return refuseDisplay(display, cell.format);
  if (!reading.ok) return asShown(reading, display);
  const words = agreeingWords(cell, display);
  const isCount = words?.every((word) => UNITS.has(word.toLowerCase())) === true;
  return isCount ? reading : refuseDisplay(display);
}

const PERCENT = 100;

/**
 * Reads a discount rate from 1 to 99 percent (section Limits); a cell that displays 15 % holds
 * 0.15.
 */
export function readRateCell(
  cell: NumberCell,
  { displays, notation }: NumberReading,
): Reading<number> {
  const display = displayOf(cell, displays);
  if (display === "unknown") return refuseDisplay(display, cell.format);
  const rate = display === undefined ? toBare(cell.value) : shownRate(cell, display);
  if (rate === undefined)
    return display === undefined ? refuse("E_DISCOUNT.rate") : refuseDisplay(display);
  const reading = parseWholeNumber(rate, notation);
  const isRate =
    reading.ok && reading.value >= DISCOUNT_RATE.min && reading.value <= DISCOUNT_RATE.max;
  if (isRate) return reading;
  return display === undefined
    ? refuse("E_DISCOUNT.rate")
    : refuse("E_DISCOUNT.rate-shown", { shown: display.shown });
}

const toBare = (value: CellValue): CellValue =>
  typeof value === "string" ? trimPercent(value.trim()) : value;

/** The displayed rate, where it equals the stored value. */
function shownRate({ value }: NumberCell, { number }: CellDisplay): number | undefined {
  if (number === undefined) return undefined;
  const words = `${number.before}${number.after}`;
  const isSame = isSameAmount(number.amount, Number(value));
  if (words === "") return isSame ? Number(value) : undefined;
  return words === "%" && (isSame || isHundredth(number, value)) ? number.amount : undefined;
}

/**
 * Whether the format has a percent sign outside quotes, which displays the number a hundred times
 * as large.
 */
const isHundredth = ({ amount }: ShownNumber, value: CellValue): boolean =>
  isSameAmount(amount / PERCENT, Number(value));
