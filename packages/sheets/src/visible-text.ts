/**
 * Makes text from outside (cells, headers, file names, answers, arguments) safe for a terminal, a
 * log or a file, which would act on its control characters instead of showing them.
 */

/**
 * C0 except the line feed, DEL, C1, the line and paragraph separators, characters that change the
 * direction of text, and unpaired surrogates. Letters of any script, emoji with their joiners and
 * combining marks are not included.
 */
const OBEYED =
  /[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]--\n]/gv;

/**
 * The text with every control character but the line feed written out, as `\u001b`. A JSON document
 * keeps its value, because `JSON.stringify` leaves such characters inside strings only.
 */
export function toVisibleText(text: string): string {
  return text.replaceAll(OBEYED, escapeSign);
}

/** As `toVisibleText`, on one line: line breaks become blanks. */
export function toVisibleLine(text: string): string {
  return toVisibleText(text.replaceAll(/\r?\n/gu, " "));
}

/** The text without control characters, for a header, which is recognised by its letters. */
export function withoutControls(text: string): string {
  return text.replaceAll(OBEYED, (sign) => (KEPT.has(sign) ? sign : ""));
}

/** Breaks within a cell, which every spreadsheet displays as such. */
const KEPT: ReadonlySet<string> = new Set(["\t", "\r"]);

const escapeSign = (sign: string): string =>
  `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
