/**
 * Cells: what is read, what is written, their addresses, and how text is kept from running as a formula.
 */

/** The value of one cell. `null` is an empty cell; a cell is never an empty text. */
export type CellValue = string | number | boolean | null;

/**
 * Facts beyond the value: a `date` is given as ISO text, an `error` as Excel's own text (`#N/A`),
 * and a `formula` as its stored result, which may be missing.
 */
export type CellTrait = "date" | "error" | "formula";

/** One row of a sheet. */
export interface SheetRow {
  /** The number that Excel shows beside the row, from 1. In a CSV file records count, not lines. */
  readonly row: number;
  readonly cells: readonly CellValue[];
  /** By index in `cells`; left out when no cell has one. */
  readonly traits?: Readonly<Record<number, CellTrait>>;
  /**
   * Number formats as Excel stores them (`"TR"0000`, `0%`), by index in `cells`: of cells that are
   * not text, and of texts that their format displays as more or less than the text (`@" adet"`).
   * Left out for cells in format General, for dates, whose digits are in the value already, and
   * when no cell has one.
   */
  readonly formats?: Readonly<Record<number, string>>;
  /** XML and JSON only: the line of the file on which the record begins, from 1. */
  readonly line?: number;
}

/** Blanks and invisible marks only. */
const INVISIBLE = /^[\s\u00ad\u200b-\u200f\u2060]*$/u;

/** Whether a cell displays nothing. */
export const isBlank = (value: CellValue): boolean =>
  value === null || (typeof value === "string" && INVISIBLE.test(value));

/** Whether a row holds nothing. A formula without a stored result counts as content. */
export const isEmptyRow = (row: SheetRow): boolean =>
  row.traits === undefined && row.cells.every(isBlank);

/** The last column that Excel has, XFD. */
export const MAX_COLUMN = 16_384;
/** The last row that Excel has. */
const MAX_ROW = 1_048_576;

const LETTER_A = 65;
const LETTERS = 26;
const DIGIT_0 = 48;
const DIGITS = 10;

interface CellAddress {
  /** From 1. */
  readonly column: number;
  readonly row: number;
}

/** Parses an address; `undefined` for an invalid one. Capitals only, as Excel writes them. */
export function parseCellAddress(address: string): CellAddress | undefined {
  let at = 0;
  let column = 0;
  for (; at < address.length; at += 1) {
    const letter = address.charCodeAt(at) - LETTER_A;
    if (letter < 0 || letter >= LETTERS) break;
    column = column * LETTERS + letter + 1;
    if (column > MAX_COLUMN) return undefined;
  }
  const row = parseRowNumber(address, at);
  return column === 0 || row === undefined ? undefined : { column, row };
}

/** The whole number at the end of a text; `undefined` if no row can have it. */
export function parseRowNumber(text: string, from = 0): number | undefined {
  let row = 0;
  for (let at = from; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - DIGIT_0;
    if (digit < 0 || digit >= DIGITS) return undefined;
    row = row * DIGITS + digit;
    if (row > MAX_ROW) return undefined;
  }
  return row > 0 ? row : undefined;
}

/** The letters of a column: 1 is A, 27 is AA. */
export function columnLetters(column: number): string {
  const rest = Math.floor((column - 1) / LETTERS);
  const last = String.fromCharCode(LETTER_A + ((column - 1) % LETTERS));
  return rest === 0 ? last : columnLetters(rest) + last;
}

/** A value to be written: a text stays a text, a number a number, and `null` is an empty cell. */
export type OutCell = string | number | boolean | null;

/** Money in whole currency: shown with two decimals, or with more where it has more. */
interface Amount {
  readonly amount: number;
}

/** A cell of a long table. */
export type TableCell = OutCell | Amount;

export const isAmount = (cell: TableCell): cell is Amount =>
  typeof cell === "object" && cell !== null && "amount" in cell;

/** Rows to be written, available at once or as a stream. */
export type Rows<Row> = AsyncIterable<Row> | Iterable<Row>;

/*
 * Keeps text from running as a formula when a CSV file is opened, reversibly. Both functions are
 * one-to-one: `unescapeFormula(escapeFormula(text))` is `text` for every text, and no escaped text
 * begins, after blanks, with a character that a spreadsheet acts on.
 */

// A spreadsheet may skip blanks and invisible characters before it looks for a sign: blanks of all
// widths, format characters, controls, and everything that Unicode calls default ignorable, such as
// U+00AD and U+180E. Signs also occur in full width and in small form, and minus as U+2212. A file
// may have U+FFFD in place of a control character that it cannot hold, and must be read back all
// the same.
const ACTIVE =
  /^'*[\s\p{Z}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\ufffd]*[=+\-@＝＋－＠﹦﹢﹣﹫\u2212\t\r\n|%]/u;

// A prefix that spreadsheets remove from typed text and other programs leave in a file: `'00123`.
// With a second quote, or with a blank among letters, the quote belongs to the text, as in
// `'90'lar`.
const PREFIXED = /^'+\d(?:[^\s']*|[\d .,:/-]*)$/u;

const isPrefixable = (text: string): boolean =>
  !startsPlain(text) && (ACTIVE.test(text) || PREFIXED.test(text));

/** Whether the text starts with a digit or a Latin letter, as nearly all do; the patterns start with others. */
function startsPlain(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first >= 0xc0) return first <= 0x24f;
  const letter = first & ~0x20;
  return (letter >= 0x41 && letter <= 0x5a) || (first >= 0x30 && first <= 0x39);
}

/**
 * Puts one `'` before a text that a spreadsheet could act on, and before one that has a
 * spreadsheet's prefix already; any other text is returned as it is.
 */
export const escapeFormula = (text: string): string => (isPrefixable(text) ? `'${text}` : text);

/** Removes the `'` that `escapeFormula` added, or that a spreadsheet added before digits. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && isPrefixable(text) ? text.slice(1) : text;
