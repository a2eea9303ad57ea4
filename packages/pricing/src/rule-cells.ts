/** Reads the cells of the sheet of rules: decimals, dates and endings of prices. */

import type { Localized } from "@catalog/i18n";
import { Big } from "big.js";

/** The values that a number may have. */
export interface DecimalRange {
  /** Lowest value, itself included. */
  readonly min: string;
  /** Lowest value that is too high. */
  readonly below: string;
  readonly decimals: number;
}

type Reading<Value> = { readonly value: Value } | { readonly message: Localized };

const NUMBER = /^[-+−]?\d[\d.,]*$/u;

/** A decimal, as a text with a point and without zeros at its end. */
export function parseDecimal(
  cell: string | number | boolean | null,
  range: DecimalRange,
  format?: string,
): Reading<string> {
  const amount = typeof cell === "number" ? fromNumber(cell, format) : fromText(String(cell));
  if (amount === undefined) {
    const tr = `“${String(cell)}” bir sayı değil.`;
    return { message: { tr, en: `“${String(cell)}” is no number.` } };
  }
  if (amount === "ambiguous") {
    const tr = `“${String(cell)}” iki türlü okunabilir; binlik ayırıcı kullanmayın ya da ondalıkları iki haneyle yazın.`;
    const en = `“${String(cell)}” can be read in two ways; leave out the sign for thousands, or give two decimals.`;
    return { message: { tr, en } };
  }
  const { min, below, decimals } = range;
  if (!amount.round(decimals).eq(amount)) {
    const tr = decimals === 0 ? "Tam sayı olmalı." : `En çok ${decimals} ondalık hane olabilir.`;
    const en = decimals === 0 ? "It must be a whole number." : `At most ${decimals} decimals.`;
    return { message: { tr, en } };
  }
  if (amount.lt(min) || amount.gte(below)) {
    const tr = `En az ${min} olmalı ve ${below} değerinin altında kalmalı.`;
    return { message: { tr, en: `It must be at least ${min} and below ${below}.` } };
  }
  return { value: amount.toFixed() };
}

/** Spreadsheet programs keep binary fractions; no person writes as many digits. */
const BINARY_DIGITS = 12;

function fromNumber(cell: number, format = ""): Big | undefined {
  if (!Number.isFinite(cell)) return undefined;
  const amount = new Big(cell).times(format.includes("%") ? 100 : 1);
  return amount.round(BINARY_DIGITS);
}

function fromText(cell: string): Big | "ambiguous" | undefined {
  const text = cell
    .trim()
    .replaceAll(/^%|(?:%|TL|TRY|₺)$/giu, "")
    .trim()
    .replace("−", "-");
  if (!NUMBER.test(text)) return undefined;
  const signs = [...text.matchAll(/[.,]/gu)].map(([sign]) => sign);
  const [first, last] = [signs[0], signs.at(-1)];
  if (first === undefined || last === undefined) return toBig(text);
  if (first !== last) {
    // 1.250,00 and 1,250.00: the last sign is the decimal one, the others group thousands.
    const [whole = "", rest = "", ...more] = text.split(last);
    const isGrouped = /^[-+]?\d{1,3}(?:[.,]\d{3})+$/u.test(whole) && more.length === 0;
    return isGrouped ? toBig(`${whole.replaceAll(first, "")}.${rest}`) : undefined;
  }
  if (signs.length > 1) {
    return /^[-+]?\d{1,3}(?:[.,]\d{3})+$/u.test(text)
      ? toBig(text.replaceAll(last, ""))
      : undefined;
  }
  if (/^[-+]?[1-9]\d{0,2}[.,]\d{3}$/u.test(text)) return "ambiguous";
  return toBig(text.replace(",", "."));
}

const toBig = (text: string): Big | undefined =>
  /^[-+]?\d+(?:\.\d+)?$/u.test(text) ? new Big(text.replace(/^\+/u, "")) : undefined;

/** A day, as 2026-11-28. */
export function parseDate(text: string): Reading<string> {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/u.exec(text);
  const turkish = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/u.exec(text);
  const [year, month, day] = iso?.slice(1) ?? turkish?.slice(1).toReversed() ?? [];
  const value = [year, month?.padStart(2, "0"), day?.padStart(2, "0")].join("-");
  const time = Date.parse(`${value}T00:00:00Z`);
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
  if (year !== undefined && isDay) return { value };
  const tr = `“${text}” bir tarih değil; 28.11.2026 gibi yazın.`;
  return { message: { tr, en: `“${text}” is no date; write it as 28.11.2026.` } };
}

/** The decimals on which prices end, from `,90`, `0.99`, `9,90` is refused, `tam` or `whole`. */
export function parseEnding(cell: string | number | boolean | null): Reading<string> {
  const text = String(cell).trim().toLowerCase();
  if (/^(?:tam|tam sayı|whole|0|[0]?[.,]00?)$/u.test(text)) return { value: "00" };
  const found = /^0?[.,](\d{1,2})$/u.exec(text)?.[1];
  if (found !== undefined) return { value: found.padEnd(2, "0") };
  const tr = `“${String(cell)}” bir yuvarlama değil. Örnekler: ,90 · ,99 · tam.`;
  return { message: { tr, en: `“${String(cell)}” is no rounding. Examples: .90, .99, whole.` } };
}
