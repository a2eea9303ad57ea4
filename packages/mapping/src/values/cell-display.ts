/** What a cell of a workbook displays, by its number format. */

import type { Localized } from "@catalog/i18n";
import { addLocale, format } from "numfmt";

/** How a value is displayed. */
export interface CellDisplay {
  /** In the notation of each language; empty where the format hides the value. */
  readonly shown: Localized;
  /** `undefined` where anything but the signs of a number stands among the digits. */
  readonly number: ShownNumber | undefined;
}

/** A displayed number, and the text around it. */
export interface ShownNumber {
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
export const isSameAmount = (shown: number, stored: number): boolean =>
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
    return format(pattern, value, { locale: OWN_SIGNS });
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
