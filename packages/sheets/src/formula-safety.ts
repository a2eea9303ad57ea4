/**
 * Keeps text from running as a formula when a CSV file is opened, in a way that can be undone.
 * Both functions are one-to-one: `unescapeFormula(escapeFormula(text))` is `text` for every text,
 * and no escaped text begins, after blanks, with a character that a spreadsheet acts on.
 */

// The blanks include those without width, which a spreadsheet may skip before it looks.
const ACTIVE = /^'*[\s\u00a0\ufeff\u200b-\u200d\u2060]*[=+\-@＝＋－＠\t\r\n|%]/u;

/** Puts one `'` before a text that a spreadsheet could act on; any other text stays as it is. */
export const escapeFormula = (text: string): string => (ACTIVE.test(text) ? `'${text}` : text);

/** Takes away the `'` that `escapeFormula` put there, and no other. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && ACTIVE.test(text) ? text.slice(1) : text;
