/**
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
