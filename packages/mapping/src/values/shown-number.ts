/** Reads number cells, whose displayed number must agree with the stored one. */

import { type Currency, DISCOUNT_RATE } from "@catalog/contract";
import { type Localized } from "@catalog/i18n";

import { accept, type Reading, refuse } from "../issues/issue.ts";
import { type CellValue } from "../rows/source-row.ts";
import { type CellLook, type CellLooks, isSameAmount, type ShownNumber } from "./cell-look.ts";
import { findCurrency, type Money, parseMoney } from "./money.ts";
import { type ColumnNotation } from "./number-text.ts";
import { trimPercent } from "./trim-percent.ts";
import { parseStock, parseWholeNumber } from "./whole-number.ts";

/** A cell that should hold a number. */
export interface NumberCell {
  readonly value: CellValue;
  /** The number format, where it has one. */
  readonly format: string | undefined;
}

/** How the numbers of a column are read. */
export interface NumberReading {
  readonly looks: CellLooks;
  readonly notation: ColumnNotation;
}

/** An amount of a cell. */
export interface CellMoney extends Money {
  /** How the cell displays it, where only the number format names the currency. */
  readonly shown: Localized | undefined;
}

/** Makes a problem with both readings, or with the reason why one is hidden. */
export function refuseLook(look: CellLook | "unknown", format = ""): Reading<never> {
  if (look === "unknown") return refuse("E_CELL_FORMAT.unknown", { format });
  if (look.shown.tr === "") return refuse("E_CELL_FORMAT.hidden");
  return refuse("E_CELL_FORMAT", { shown: look.shown });
}

/**
 * The display of a number cell, where it differs from the plain number; `undefined` where it does
 * not.
 */
function lookOf({ value, format }: NumberCell, looks: CellLooks): CellLook | "unknown" | undefined {
  if (typeof value !== "number" || format === undefined) return undefined;
  return looks.isExact(value, format) ? undefined : looks.look(value, format);
}

/** Reads an amount of a cell; in a number cell the format can name the currency. */
export function readMoneyCell(
  cell: NumberCell,
  { looks, notation }: NumberReading,
): Reading<CellMoney> {
  const reading = parseMoney(cell.value, notation);
  const look = lookOf(cell, looks);
  if (look === undefined) return withoutFormat(reading);
  if (look === "unknown") return refuseLook(look, cell.format);
  if (!reading.ok) return asShown(reading, look);
  const words = agreeingWords(cell, look);
  const currency = words === undefined ? "unknown" : currencyOf(words);
  if (currency === "unknown") return refuseLook(look);
  return accept({ ...reading.value, currency, shown: currency && look.shown });
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
  { shown }: CellLook,
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
function agreeingWords({ value }: NumberCell, look: CellLook): readonly string[] | undefined {
  const { number } = look;
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
  { looks, notation }: NumberReading,
): Reading<number> {
  const reading = parseStock(cell.value, notation);
  const look = lookOf(cell, looks);
  if (look === undefined) return reading;
  if (look === "unknown") return refuseLook(look, cell.format);
  if (!reading.ok) return asShown(reading, look);
  const words = agreeingWords(cell, look);
  const isCount = words?.every((word) => UNITS.has(word.toLowerCase())) === true;
  return isCount ? reading : refuseLook(look);
}

const PERCENT = 100;

/**
 * Reads a discount rate from 1 to 99 percent (section Limits); a cell that displays 15 % holds
 * 0.15.
 */
export function readRateCell(
  cell: NumberCell,
  { looks, notation }: NumberReading,
): Reading<number> {
  const look = lookOf(cell, looks);
  if (look === "unknown") return refuseLook(look, cell.format);
  const rate = look === undefined ? toBare(cell.value) : shownRate(cell, look);
  if (rate === undefined) return look === undefined ? refuse("E_DISCOUNT.rate") : refuseLook(look);
  const reading = parseWholeNumber(rate, notation);
  const isRate =
    reading.ok && reading.value >= DISCOUNT_RATE.min && reading.value <= DISCOUNT_RATE.max;
  if (isRate) return reading;
  return look === undefined
    ? refuse("E_DISCOUNT.rate")
    : refuse("E_DISCOUNT.rate-shown", { shown: look.shown });
}

const toBare = (value: CellValue): CellValue =>
  typeof value === "string" ? trimPercent(value.trim()) : value;

/** The displayed rate, where it equals the stored value. */
function shownRate({ value }: NumberCell, { number }: CellLook): number | undefined {
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
