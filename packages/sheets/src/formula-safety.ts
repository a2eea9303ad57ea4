/**
 * Keeps text from running as a formula when a CSV file is opened, in a way that can be undone.
 * Both functions are one-to-one: `unescapeFormula(escapeFormula(text))` is `text` for every text,
 * and no escaped text begins, after blanks, with a character that a spreadsheet acts on.
 */

// A spreadsheet may skip blanks and what it does not show before it looks: blanks of all widths,
// format characters and controls, and all else that Unicode calls default ignorable, as U+00AD and
// U+180E. Signs come in full width and in small form too, and minus as U+2212. A file may have U+FFFD in
// the place of a control character that it cannot hold, and must be read back all the same.
const ACTIVE =
  /^'*[\s\p{Z}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\ufffd]*[=+\-@＝＋－＠﹦﹢﹣﹫\u2212\t\r\n|%]/u;

// What spreadsheets take off when it is typed, and other programs leave in a file: `'00123`. With a
// second quote or a blank among letters it is one that belongs to the text, as in `'90'lar`.
const PREFIXED = /^'+\d(?:[^\s']*|[\d .,:/-]*)$/u;

const isPrefixable = (text: string): boolean => ACTIVE.test(text) || PREFIXED.test(text);

/**
 * Puts one `'` before a text that a spreadsheet could act on, and before one that already has the
 * prefix of a spreadsheet; any other text stays as it is.
 */
export const escapeFormula = (text: string): string => (isPrefixable(text) ? `'${text}` : text);

/** Takes away the `'` that `escapeFormula` put there, or a spreadsheet before digits. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && isPrefixable(text) ? text.slice(1) : text;
