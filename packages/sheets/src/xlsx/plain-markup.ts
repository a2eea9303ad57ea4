/**
 * The two shapes that nearly all of a workbook consists of, read letter by letter without building
 * anything. Whatever is written in another way is left to the scanner, which comes to the same.
 */

const DIGIT_0 = 48;
const DIGIT_9 = 57;
const LETTER_A = 65;
const LETTER_Z = 90;
const LETTER_C = 99;
const QUOTE = 34;
const MAX_DIGITS = 9;

const CELL_START = '<c r="';
const STYLE = ' s="';
const TEXT_TYPE = ' t="s"';
const VALUE_START = "><v>";
const CELL_END = "</v></c>";

/** A cell with an address and a number in it, which may be that of a shared text. */
export interface PlainCell {
  column: number;
  row: number;
  style: number;
  isShared: boolean;
  /** Where its value begins and ends in the source. */
  start: number;
  end: number;
}

export const createPlainCell = (): PlainCell => ({
  column: 0,
  row: 0,
  style: 0,
  isShared: false,
  start: 0,
  end: 0,
});

/**
 * Reads `<c r="B2" s="1" t="s"><v>7</v></c>` at `start`, where style and type may be missing, and
 * returns where it ends; -1 for anything else and for what is cut off.
 */
export function readPlainCell(source: string, start: number, cell: PlainCell): number {
  if (source.charCodeAt(start + 1) !== LETTER_C || !source.startsWith(CELL_START, start)) return -1;
  let at = readAddress(source, start + CELL_START.length, cell);
  if (at === -1) return -1;
  at = readStyle(source, at, cell);
  cell.isShared = source.startsWith(TEXT_TYPE, at);
  if (cell.isShared) at += TEXT_TYPE.length;
  if (!source.startsWith(VALUE_START, at)) return -1;
  cell.start = at + VALUE_START.length;
  cell.end = cell.isShared ? endOfDigits(source, cell.start) : source.indexOf("<", cell.start);
  const isWhole = cell.end > cell.start && source.startsWith(CELL_END, cell.end);
  return isWhole ? cell.end + CELL_END.length : -1;
}

/** Letters, digits and the quote; returns what comes after. */
function readAddress(source: string, start: number, cell: PlainCell): number {
  let at = start;
  let code = source.charCodeAt(at);
  let column = 0;
  for (; code >= LETTER_A && code <= LETTER_Z; code = source.charCodeAt((at += 1))) {
    column = column * 26 + code - LETTER_A + 1;
  }
  const end = endOfDigits(source, at);
  const isAddress = at > start && at - start <= 3 && end > at && source.charCodeAt(end) === QUOTE;
  if (!isAddress) return -1;
  cell.column = column;
  cell.row = toInteger(source, at, end);
  return end + 1;
}

function readStyle(source: string, start: number, cell: PlainCell): number {
  cell.style = 0;
  if (!source.startsWith(STYLE, start)) return start;
  const end = endOfDigits(source, start + STYLE.length);
  if (source.charCodeAt(end) !== QUOTE) return start;
  cell.style = toInteger(source, start + STYLE.length, end);
  return end + 1;
}

/** At most as many as make an exact number. */
function endOfDigits(source: string, start: number): number {
  let at = start;
  for (; at - start < MAX_DIGITS; at += 1) {
    const code = source.charCodeAt(at);
    if (!(code >= DIGIT_0 && code <= DIGIT_9)) break;
  }
  return at;
}

/** The number that the digits from `start` to `end` make. */
export function toInteger(source: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 10 + source.charCodeAt(at) - DIGIT_0;
  return value;
}

const TEXT_START = "<si><t>";
const KEPT_TEXT_START = '<si><t xml:space="preserve">';
const TEXT_END = "</t></si>";

/** A shared text without formats. */
export interface PlainText {
  start: number;
  end: number;
}

/** Reads `<si><t>…</t></si>` at `start`; returns where it ends, or -1. */
export function readPlainText(source: string, start: number, text: PlainText): number {
  if (source.startsWith(TEXT_START, start)) text.start = start + TEXT_START.length;
  else if (source.startsWith(KEPT_TEXT_START, start)) text.start = start + KEPT_TEXT_START.length;
  else return -1;
  text.end = source.indexOf("<", text.start);
  if (text.end === -1 || !source.startsWith(TEXT_END, text.end)) return -1;
  return text.end + TEXT_END.length;
}
