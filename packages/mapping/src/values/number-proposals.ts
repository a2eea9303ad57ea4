/** What a cell of counts that is no number means, or most likely means. */

import { fold, trimText } from "../fold.ts";
import type { DecimalSign } from "./number-text.ts";

/** Words that say nothing but that there is no stock, folded. */
const NO_STOCK: ReadonlySet<string> = new Set([
  "yok",
  "stok yok",
  "stokta yok",
  "stoklarda yok",
  "tukendi",
  "stok tukendi",
  "stokta kalmadi",
  "none",
  "no stock",
  "out of stock",
  "sold out",
]);

/** Whether the text says that there is no stock. */
export const isNoStock = (text: string): boolean => NO_STOCK.has(fold(text));

/** Words that say that there is some stock, folded. */
const SOME_STOCK: ReadonlySet<string> = new Set([
  "var",
  "stok var",
  "stokta",
  "stokta var",
  "mevcut",
  "bol",
  "yes",
  "in stock",
  "instock",
  "available",
]);

/** A lower bound, such as `10+`, `>100` or `100 ve üzeri`. */
const AT_LEAST = /^(?:[>≥]=?\s*\d{1,7}|\d{1,7}\s*(?:\+|ve üzeri|ve üstü|or more))$/iu;

/** Whether the text says that there is stock, but not how much. */
export const isSomeStock = (text: string): boolean =>
  SOME_STOCK.has(fold(text)) || AT_LEAST.test(trimText(text));

/** A count with the word for single pieces; boxes and sets hold more than one. */
const PIECES = /^(?<count>\d{1,9})\s*(?:adet|ad|tane|pcs?|pieces?|units?)\.?$/iu;

/**
 * The count of a cell with a word for pieces: 15 for `15 adet`; `undefined` for any other text, such
 * as a number of boxes.
 */
export function readPieces(text: string): number | undefined {
  const { count } = PIECES.exec(trimText(text))?.groups ?? {};
  return count === undefined ? undefined : Number(count);
}

const NUMBER = /\d(?:[\d.,\s]*\d)?/u;

/** The text with its number rewritten for a decimal sign, as `1299,9` for `1299.9`. */
export function rewriteDecimals(text: string, decimal: DecimalSign): string {
  const [group, sign, other] = decimal === "comma" ? [",", ",", "."] : [".", ".", ","];
  return text.replace(NUMBER, (number) =>
    number.replaceAll(/\s/gu, "").replaceAll(group, "").replace(other, sign),
  );
}
