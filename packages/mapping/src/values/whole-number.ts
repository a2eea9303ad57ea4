import { trimText } from "../fold.ts";
import { accept, type Reading, refuse } from "../issues/issue.ts";
import type { CellValue } from "../rows/source-row.ts";
import { isNoStock, isSomeStock, readPieces } from "./number-proposals.ts";
import {
  type ColumnNotation,
  readNumberText,
  readSimpleNumber,
  UNKNOWN_NOTATION,
  writeOutExponent,
} from "./number-text.ts";

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
