/**
 * Texts from outside (cells, headers, names of files, answers, arguments) where a terminal, a log or
 * a file would obey the control characters in them instead of showing them.
 */

/**
 * C0 but for the line feed, DEL, C1, the line and paragraph separators, what turns the direction of
 * the words around it, and half a surrogate pair. Letters of any script, emoji with their joiners and
 * combining marks are none of these.
 */
const OBEYED =
  /[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]--\n]/gv;

/**
 * The text with every control character but the line feed written out, as `\u001b`. A JSON document
 * stays equal to what it was: `JSON.stringify` leaves such characters inside strings only.
 */
export function toVisibleText(text: string): string {
  return text.replaceAll(OBEYED, escapeSign);
}

/** The same on one line: breaks become blanks. */
export function toVisibleLine(text: string): string {
  return toVisibleText(text.replaceAll(/\r?\n/gu, " "));
}

/** The text without them, for a header of a table, which is known again by its letters. */
export function withoutControls(text: string): string {
  return text.replaceAll(OBEYED, (sign) => (KEPT.has(sign) ? sign : ""));
}

/** Breaks within a cell, which every spreadsheet shows as such. */
const KEPT: ReadonlySet<string> = new Set(["\t", "\r"]);

const escapeSign = (sign: string): string =>
  `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
