/** Decodes what the text of a CSV cell means to a spreadsheet. */

import { unescapeFormula } from "../formula-safety.ts";

/** Form in which programs keep the zeros of a code when Excel opens the file: `="00123"`. */
const TEXT_FORMULA = /^\s*="((?:[^"]|"")*)"\s*$/u;
/** Blanks before a quote, which the standard does not allow; the quotes are no part of the text. */
const SPACED_QUOTES = /^[ \t]+"((?:[^"]|"")*)"[ \t]*$/u;
const FORMULA = /^\s*=/u;

/** The text of a cell, without the signs that only keep a spreadsheet from changing it. */
export function readCsvText(text: string): string {
  const [, quoted] = SPACED_QUOTES.exec(text) ?? [];
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  if (!FORMULA.test(text)) return unescapeFormula(text);
  const [, inner] = TEXT_FORMULA.exec(text) ?? [];
  return inner === undefined ? text : inner.replaceAll('""', '"');
}

/** Whether a cell is a formula, whose result a CSV file does not hold. */
export const isOpenFormula = (text: string): boolean =>
  FORMULA.test(text) && !TEXT_FORMULA.test(text);
