/**
 * Reads cells whose number format displays something other than they hold: numbers must agree with
 * what is displayed, texts are spelled as they are displayed.
 */

import { type Currency, DISCOUNT_RATE, priceMinor } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";
import { addLocale, format as formatValue } from "numfmt";

import { accept, type Problem, type Reading, refuse } from "../issues/issue.ts";
import { cellText, type CellTrait, type CellValue } from "../source-row.ts";
import { findCurrency, type Money, parseMoney } from "./money.ts";
import { type ColumnNotation, parseStock, parseWholeNumber, trimPercent } from "./numbers.ts";

/** How a value is displayed. */
interface CellDisplay {
  /** In the notation of each language; empty where the format hides the value. */
  readonly shown: Localized;
  /** `undefined` where anything but the signs of a number stands among the digits. */
  readonly number: ShownNumber | undefined;
}

/** A displayed number, and the text around it. */
interface ShownNumber {
  /** The value of the displayed digits, whatever the cell holds. */
  readonly amount: number;
  /** The digits with a point before the decimals and without thousands separators. */
  readonly digits: string;
  readonly isGrouped: boolean;
  /** Trimmed: a currency, a unit, `%`. */
  readonly before: string;
  readonly after: string;
}

/** Computes what number formats display. */
export interface CellDisplays {
  /**
   * `undefined` for a value that is displayed as it is, `unknown` for a format that cannot be read.
   */
  displayOf(value: number | string, code: string | undefined): CellDisplay | "unknown" | undefined;
  /** Whether a number is displayed to its last decimal, with nothing around it. */
  isExact(value: number, code: string): boolean;
}

/**
 * Maximum difference between a displayed and a stored amount: the rounding error of binary
 * fractions.
 */
const MAX_BINARY_NOISE = 1e-6;

/** Whether the displayed digits equal the value that the cell holds. */
const isSameAmount = (shown: number, stored: number): boolean =>
  Math.abs(shown - stored) <= MAX_BINARY_NOISE;

// Private-use characters, so that a comma in quotes is not taken for a decimal sign.
const DECIMAL = "\ue000";
const GROUP = "\ue001";
const OWN_SIGNS = "zz";

/** Excel accepts no longer code. */
const MAX_CODE_CHARS = 255;

/** Formats that display a number as it is; `@` is General for a number. */
const AS_IT_IS = /^(?:general|@)$/iu;
const DECIMALS_ONLY = /^(?:#,##)?0(?:\.(0+))?$/u;

/** Makes a reader of formats that caches the ones it has seen. */
export function createCellDisplays(): CellDisplays {
  addLocale({ decimal: DECIMAL, group: GROUP }, OWN_SIGNS);
  const prepared = new Map<string, string | undefined>();
  const decimals = new Map<string, number | undefined>();
  const prepare = (code: string): string | undefined => {
    if (!prepared.has(code)) prepared.set(code, prepareCode(code));
    return prepared.get(code);
  };
  return {
    displayOf(value, code) {
      if (code === undefined || AS_IT_IS.test(code)) return undefined;
      const pattern = prepare(code);
      const shown = pattern === undefined ? undefined : render(pattern, value);
      return shown === undefined ? "unknown" : toDisplay(shown);
    },
    isExact(value, code) {
      if (!decimals.has(code)) decimals.set(code, countDecimals(code));
      const decimalPlaces = decimals.get(code);
      return decimalPlaces !== undefined && Number(value.toFixed(decimalPlaces)) === value;
    },
  };
}

const countDecimals = (code: string): number | undefined =>
  DECIMALS_ONLY.exec(code)?.[1]?.length ?? (DECIMALS_ONLY.test(code) ? 0 : undefined);

/** Quoted texts, escaped and padding signs, and brackets, none of which is a sign of a number. */
const PIECES = /"[^"]*"|[\\_].|\[[^\][]*\]|\*./gsu;
/**
 * `[$₺-41F]`, `[$₺-tr-TR]`, `[$-tr-TR,1]`: behind the currency stands a language, by number or
 * name, whose notation applies.
 */
const CURRENCY_OR_LANGUAGE =
  /^\[\$(.*?)(?:-(?:[0-9a-f]+|[a-z]{2,3}(?:-[a-z0-9]{2,8})+)(?:,[0-9a-f]+)?)?\]$/isu;
/**
 * Currency codes that some programs write without quotes, though their letters are those of date
 * formats.
 */
const BARE_CURRENCY = /(?<![\p{L}"\\])(?:USD|EUR|TRY|YTL|TL|GBP)(?!\p{L})/gu;

/** The format code to be rendered; `undefined` for one that fills the cell with visible signs. */
function prepareCode(code: string): string | undefined {
  if (code.length > MAX_CODE_CHARS) return undefined;
  let isFilling = false;
  let prepared = "";
  let from = 0;
  for (const { 0: piece, index } of code.matchAll(PIECES)) {
    prepared += quoteCurrency(code.slice(from, index)) + preparePiece(piece);
    isFilling ||= piece.startsWith("*") && piece !== "* ";
    from = index + piece.length;
  }
  return isFilling ? undefined : prepared + quoteCurrency(code.slice(from));
}

const quoteCurrency = (text: string): string => text.replaceAll(BARE_CURRENCY, '"$&"');

function preparePiece(piece: string): string {
  const symbol = CURRENCY_OR_LANGUAGE.exec(piece)?.[1];
  if (symbol === undefined) return piece;
  return symbol === "" ? "" : `"${symbol.replaceAll('"', "")}"`;
}

function render(pattern: string, value: number | string): string | undefined {
  try {
    return formatValue(pattern, value, { locale: OWN_SIGNS });
  } catch (error) {
    // The library throws errors of several kinds for an invalid code.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

const toDisplay = (rendered: string): CellDisplay => ({
  shown: {
    tr: rendered.replaceAll(DECIMAL, ",").replaceAll(GROUP, ".").trim(),
    en: rendered.replaceAll(DECIMAL, ".").replaceAll(GROUP, ",").trim(),
  },
  number: toNumber(rendered),
});

const NUMBER = new RegExp(
  `^([^\\d${DECIMAL}${GROUP}]*?)(-?)(\\d(?:[\\d${GROUP}]| (?=\\d))*)(?:${DECIMAL}(\\d*))?([^\\d${DECIMAL}${GROUP}]*)$`,
  "u",
);
const BLANK_GROUPS = /^\d{1,3}(?: \d{3})+$/u;

function toNumber(rendered: string): ShownNumber | undefined {
  const parts = NUMBER.exec(rendered.replaceAll(/[\u00a0\u202f]/gu, " "));
  if (parts === null) return undefined;
  const [, before = "", minus = "", whole = "", decimals = "", after = ""] = parts;
  if (whole.includes(" ") && !BLANK_GROUPS.test(whole)) return undefined;
  const integer = whole.replaceAll(/[^\d]/gu, "");
  const digits = `${minus}${integer}${decimals === "" ? "" : `.${decimals}`}`;
  return {
    amount: Number(digits),
    digits,
    isGrouped: integer !== whole,
    before: before.trim(),
    after: after.trim(),
  };
}

/** A cell that should hold a number. */
interface NumberCell {
  readonly value: CellValue;
  /** The number format, where it has one. */
  readonly format: string | undefined;
  /** @default no fact is known */
  readonly trait?: CellTrait | undefined;
}

/** How the numbers of a column are read. */
interface NumberReading {
  readonly displays: CellDisplays;
  readonly notation: ColumnNotation;
}

/** An amount of a cell. */
export interface CellMoney extends Money {
  /** How the cell displays it, where only the number format names the currency. */
  readonly shown: Localized | undefined;
}

/** Makes a problem with both readings, or with the reason why one is hidden. */
function refuseDisplay(display: CellDisplay | "unknown", format = ""): Reading<never> {
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

/**
 * How a text is used: a `code` is sent digit by digit, a `text` as it is read, and of a `list` only
 * the meaning is sent, so that several spellings may be tried.
 */
export type TextUse = "code" | "text" | "list";

/** How the content of a cell is spelled. */
export interface Spelling {
  readonly text: string;
  /** Further spellings, less likely ones last. */
  readonly others: readonly string[];
  /** Why the content of the cell is not certain. */
  readonly problem?: Problem | undefined;
}

/** The cell as its sheet has it. */
interface TextCell {
  readonly value: CellValue;
  readonly format: string | undefined;
  readonly use: TextUse;
}

/** Reads the text of a cell. */
export function spellCell(cell: TextCell, displays: CellDisplays): Spelling {
  const { value, format, use } = cell;
  if (typeof value === "boolean") return spellBoolean(value, use);
  if (value === null) return plain("");
  const display = displays.displayOf(value, format);
  if (display === undefined)
    return typeof value === "number" ? spellNumber(value, use) : ownText(value);
  if (display === "unknown") return broken(value, refuseDisplay(display, format));
  if (typeof value === "string") return spellShownText(value, display, use);
  return use === "list" ? spellListed(value, display) : spellShownNumber(value, display, use);
}

const plain = (text: string): Spelling => ({ text, others: [] });

const ownText = (value: string): Spelling => plain(cellText(value));

const broken = (value: CellValue, reading: Reading<never>): Spelling => ({
  ...plain(cellText(value)),
  problem: reading.ok ? undefined : reading.problem,
});

/** Spells a truth value; a product code has its own issue for it. */
function spellBoolean(value: boolean, use: TextUse): Spelling {
  const problem = use === "text" ? ({ text: "E_CELL_FORMAT.boolean" } as const) : undefined;
  return { ...plain(String(value)), problem };
}

/** Number of significant digits that Excel keeps. */
const EXACT_DIGITS = 15;
const MAX_EXACT = 1e15;

/** Spells a number in the general format; a product code has a rule of its own for it. */
function spellNumber(value: number, use: TextUse): Spelling {
  if (use !== "text") return plain(String(value));
  const text = String(Number(value.toPrecision(EXACT_DIGITS)));
  const isShownOtherwise = Math.abs(value) >= MAX_EXACT || text.includes("e");
  if (!isShownOtherwise) return plain(text);
  const shown = value.toExponential().toUpperCase();
  return { ...plain(text), problem: { text: "E_CELL_FORMAT", params: { shown } } };
}

/** Spells a text whose format adds something before or behind it, or hides it. */
function spellShownText(value: string, display: CellDisplay, use: TextUse): Spelling {
  const text = cellText(value);
  if (display.shown.en === text) return plain(text);
  return use === "list" && display.shown.en !== ""
    ? plain(display.shown.en)
    : broken(value, refuseDisplay(display));
}

/**
 * Spells a displayed number: leading or trailing zeros are read as displayed; any other difference
 * is ambiguous.
 */
function spellShownNumber(value: number, display: CellDisplay, use: TextUse): Spelling {
  const { number } = display;
  const isBare =
    number !== undefined && !number.isGrouped && number.before === "" && number.after === "";
  const isWhole = use === "text" || number?.digits.includes(".") === false;
  return isBare && isWhole && isSameAmount(number.amount, value)
    ? plain(number.digits)
    : broken(value, refuseDisplay(display));
}

/**
 * The displayed spelling comes first; a number without words around it may be listed with fewer
 * signs.
 */
function spellListed(value: number, display: CellDisplay): Spelling {
  const { number, shown } = display;
  if (shown.tr === "") return broken(value, refuseDisplay(display));
  if (number === undefined) return { text: shown.en, others: [shown.tr] };
  const words = `${number.before}${number.after}`;
  const isSame = isSameAmount(number.amount, value);
  if (words === "") {
    return isSame
      ? { text: number.digits, others: [String(value)] }
      : broken(value, refuseDisplay(display));
  }
  const isPercent = words === "%" && isSameAmount(number.amount / 100, value);
  if (!isSame && !isPercent) return broken(value, refuseDisplay(display));
  return { text: shown.en, others: [shown.tr] };
}
