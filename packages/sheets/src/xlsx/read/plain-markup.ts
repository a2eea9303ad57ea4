/**
 * Reads the shapes that most of a workbook consists of, byte by byte without allocating. Any other
 * shape is left to the scanner, with the same result.
 */

const DIGIT_0 = 48;
const DIGIT_9 = 57;
const LETTER_A = 65;
const LETTER_Z = 90;
const LETTERS = 26;
const QUOTE = 34;
const AMPERSAND = 38;
const MINUS = 45;
const DOT = 46;
const SLASH = 47;
const LESS = 60;
const UNDERSCORE = 95;
const SPACE = 32;
const TAB = 9;
const LINE_FEED = 10;
const NAME_R = 114;
const NAME_S = 115;
const NAME_T = 116;
const MAX_LETTERS = 3;
const MAX_DIGITS = 9;
/** Longer numbers are left to the general parser. */
const MAX_NUMBER_BYTES = 20;

const CELL_START = Buffer.from("<c ");
const EQUALS_QUOTE = Buffer.from('="');
const VALUE_START = Buffer.from("><v>");
const CELL_END = Buffer.from("</v></c>");
const INLINE_START = Buffer.from("><is><t>");
const KEPT_INLINE_START = Buffer.from('><is><t xml:space="preserve">');
const INLINE_END = Buffer.from("</t></is></c>");
const NO_CONTENT = Buffer.from("/>");

const TYPE_NUMBER = Buffer.from('n"');
const TYPE_SHARED = Buffer.from('s"');
const TYPE_TEXT = Buffer.from('str"');
const TYPE_INLINE = Buffer.from('inlineStr"');

type PlainKind = "empty" | "number" | "shared" | "text" | "inline";

/** A cell with an address and at most a value in it. */
export interface PlainCell {
  column: number;
  row: number;
  style: number;
  kind: PlainKind;
  /** Start and end of its value in the bytes. */
  start: number;
  end: number;
  /** Whether the value can be used as it is: a text without escapes, or a number of digits only. */
  isBare: boolean;
}

export const createPlainCell = (): PlainCell => ({
  column: 0,
  row: 0,
  style: 0,
  kind: "empty",
  start: 0,
  end: 0,
  isBare: false,
});

/**
 * Reads `<c r="B2" s="1" t="s"><v>7</v></c>` at `start`, with its attributes in any order, with an
 * inline text, or empty, and returns its end; -1 for anything else and for an incomplete cell.
 */
export function readPlainCell(bytes: Uint8Array, start: number, cell: PlainCell): number {
  if (!isAt(CELL_START, bytes, start)) return -1;
  cell.column = 0;
  cell.style = 0;
  cell.kind = "number";
  let at = start + CELL_START.length - 1;
  while (bytes[at] === SPACE) {
    at = readAttribute(bytes, at + 1, cell);
    if (at === -1) return -1;
  }
  if (cell.column === 0) return -1;
  return bytes[at] === SLASH ? readNoContent(bytes, at, cell) : readContent(bytes, at, cell);
}

/** Returns the position behind the closing quote. */
function readAttribute(bytes: Uint8Array, start: number, cell: PlainCell): number {
  if (!isAt(EQUALS_QUOTE, bytes, start + 1)) return -1;
  const value = start + 1 + EQUALS_QUOTE.length;
  const name = bytes[start];
  if (name === NAME_R) return readAddress(bytes, value, cell);
  if (name === NAME_S) return readStyle(bytes, value, cell);
  return name === NAME_T ? readType(bytes, value, cell) : -1;
}

function readAddress(bytes: Uint8Array, start: number, cell: PlainCell): number {
  let at = start;
  let column = 0;
  for (;;) {
    const code = bytes[at] ?? 0;
    if (code < LETTER_A || code > LETTER_Z) break;
    column = column * LETTERS + code - LETTER_A + 1;
    at += 1;
  }
  const end = endOfDigits(bytes, at);
  const isAddress = at > start && at - start <= MAX_LETTERS && end > at && bytes[end] === QUOTE;
  if (!isAddress) return -1;
  cell.column = column;
  cell.row = toInteger(bytes, at, end);
  return end + 1;
}

function readStyle(bytes: Uint8Array, start: number, cell: PlainCell): number {
  const end = endOfDigits(bytes, start);
  if (end === start || bytes[end] !== QUOTE) return -1;
  cell.style = toInteger(bytes, start, end);
  return end + 1;
}

function readType(bytes: Uint8Array, start: number, cell: PlainCell): number {
  if (isAt(TYPE_SHARED, bytes, start)) {
    cell.kind = "shared";
    return start + TYPE_SHARED.length;
  }
  if (isAt(TYPE_NUMBER, bytes, start)) {
    cell.kind = "number";
    return start + TYPE_NUMBER.length;
  }
  if (isAt(TYPE_INLINE, bytes, start)) {
    cell.kind = "inline";
    return start + TYPE_INLINE.length;
  }
  cell.kind = "text";
  return isAt(TYPE_TEXT, bytes, start) ? start + TYPE_TEXT.length : -1;
}

function readNoContent(bytes: Uint8Array, at: number, cell: PlainCell): number {
  cell.kind = "empty";
  return isAt(NO_CONTENT, bytes, at) ? at + NO_CONTENT.length : -1;
}

function readContent(bytes: Uint8Array, at: number, cell: PlainCell): number {
  if (isAt(VALUE_START, bytes, at)) {
    return readValue(bytes, at + VALUE_START.length, cell);
  }
  if (cell.kind !== "inline") return -1;
  const opening = isAt(INLINE_START, bytes, at) ? INLINE_START : KEPT_INLINE_START;
  if (!isAt(opening, bytes, at)) return -1;
  readText(bytes, at + opening.length, cell);
  return isAt(INLINE_END, bytes, cell.end) ? cell.end + INLINE_END.length : -1;
}

function readValue(bytes: Uint8Array, start: number, cell: PlainCell): number {
  if (cell.kind === "number") readNumber(bytes, start, cell);
  else if (cell.kind === "shared") {
    cell.start = start;
    cell.end = endOfDigits(bytes, start);
  } else readText(bytes, start, cell);
  const isWhole = cell.end > start && isAt(CELL_END, bytes, cell.end);
  return isWhole ? cell.end + CELL_END.length : -1;
}

function readNumber(bytes: Uint8Array, start: number, cell: PlainCell): void {
  const first = bytes[start] === MINUS ? start + 1 : start;
  const point = skipDigits(bytes, first);
  const end = bytes[point] === DOT ? skipDigits(bytes, point + 1) : point;
  // A minus before a zero may be that of negative zero, which is read as zero.
  const isPlain = isDigit(bytes[end - 1]) && (first === start || bytes[first] !== DIGIT_0);
  cell.start = start;
  cell.isBare = isPlain && bytes[end] === LESS && end - start <= MAX_NUMBER_BYTES;
  cell.end = end;
  while (bytes[cell.end] !== LESS && cell.end < bytes.length) cell.end += 1;
}

function skipDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at += 1;
  return at;
}

const isDigit = (code: number | undefined): boolean =>
  code !== undefined && code >= DIGIT_0 && code <= DIGIT_9;

/** End of the digits, at most as many as an exact number has. */
function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at - start < MAX_DIGITS && isDigit(bytes[at])) at += 1;
  return at;
}

/** The number of the digits from `start` to `end`. */
export function toInteger(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 10 + (bytes[at] ?? 0) - DIGIT_0;
  return value;
}

/** By byte: whether it begins a tag, an entity or an escape, or cannot stand in a text as it is. */
const IS_SPECIAL: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) => {
  const isBlank = code === TAB || code === LINE_FEED;
  const isSpecial = code === LESS || code === AMPERSAND || code === UNDERSCORE;
  return isSpecial || (code < SPACE && !isBlank) ? 1 : 0;
});

/** A text, and whether it can be used as it is. */
export interface PlainText {
  start: number;
  end: number;
  isBare: boolean;
}

const TEXT_START = Buffer.from("<si><t>");
const KEPT_TEXT_START = Buffer.from('<si><t xml:space="preserve">');
const TEXT_END = Buffer.from("</t></si>");

/** Reads the shared text `<si><t>…</t></si>` at `start`; returns its end, or -1. */
export function readPlainText(bytes: Uint8Array, start: number, text: PlainText): number {
  const opening = isAt(TEXT_START, bytes, start) ? TEXT_START : KEPT_TEXT_START;
  if (!isAt(opening, bytes, start)) return -1;
  readText(bytes, start + opening.length, text);
  return isAt(TEXT_END, bytes, text.end) ? text.end + TEXT_END.length : -1;
}

/** Reads up to the next tag. */
function readText(bytes: Uint8Array, start: number, text: PlainText): void {
  let at = start;
  let isBare = true;
  for (;;) {
    const code = bytes[at] ?? LESS;
    if (IS_SPECIAL[code] === 0) at += 1;
    else if (code === LESS) break;
    else {
      isBare = false;
      at += 1;
    }
  }
  text.start = start;
  text.end = at;
  text.isBare = isBare;
}

function isAt(pattern: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < pattern.length; at += 1) {
    if (bytes[start + at] !== pattern[at]) return false;
  }
  return true;
}
