/** The address of a cell as a workbook writes it: `AB12`. */

/** The last column that Excel has, XFD. */
export const MAX_COLUMN = 16_384;
/** The last row that Excel has. */
export const MAX_ROW = 1_048_576;

const LETTER_A = 65;
const LETTERS = 26;
const DIGIT_0 = 48;
const DIGITS = 10;

export interface CellAddress {
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
