import { trimText } from "../fold.ts";
import { accept, type Reading, refuse } from "../issues/issue.ts";
import type { CellValue } from "../rows/source-row.ts";
import { proposeCount } from "./number-proposals.ts";
import {
  type ColumnNotation,
  readNumberText,
  readSimpleNumber,
  UNKNOWN_NOTATION,
} from "./number-text.ts";

/** So many decimals programs write, and people seldom: three may be a group of thousands. */
const isWritten = (decimals: number): boolean => decimals === 2 || decimals >= 4;

/**
 * Reads a whole number of either sign. Decimals that are zeros are read as other programs write
 * them: `35,00` and `35.0000`. `12,0` and `12.000` are refused, since they can be other numbers.
 */
export function parseWholeNumber(
  value: CellValue,
  notation: ColumnNotation = UNKNOWN_NOTATION,
): Reading<number> {
  if (typeof value === "number") return checkSize(value);
  if (typeof value !== "string") return refuse("E_NOT_A_NUMBER");
  const text = trimText(value);
  const simple = readSimpleNumber(text);
  if (simple?.shape === "plain") return accept(simple.whole);
  const reading = readNumberText(text, notation);
  if (!reading.ok) return reading;
  const { amount, decimals } = reading.value;
  const isWhole = decimals === 0 || (isWritten(decimals) && amount.round(0).eq(amount));
  return isWhole ? checkSize(Number(amount.toFixed(0))) : refuse("E_NOT_INTEGER");
}

function checkSize(value: number): Reading<number> {
  if (!Number.isFinite(value)) return refuse("E_NOT_A_NUMBER");
  if (!Number.isInteger(value)) return refuse("E_NOT_INTEGER");
  return Number.isSafeInteger(value) ? accept(value) : refuse("E_NUMBER_TOO_LARGE");
}

/** Reads a stock count: a whole number, zero or more. */
export function parseStock(value: CellValue, notation?: ColumnNotation): Reading<number> {
  const reading = parseWholeNumber(value, notation);
  if (reading.ok) return reading.value < 0 ? refuse("E_STOCK_NEGATIVE") : reading;
  if (reading.problem.text !== "E_NOT_A_NUMBER") return reading;
  const meant = proposeCount(String(value ?? ""));
  return meant === undefined
    ? refuse("E_NOT_A_NUMBER.count")
    : refuse("E_NOT_A_NUMBER.meant", { meant });
}
