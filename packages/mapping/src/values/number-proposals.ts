/** What a cell that is no number most likely means. It is only proposed, and never read as that. */

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

/** A count with the word for single pieces; boxes and sets hold more than one. */
const PIECES = /^(?<count>\d{1,9})\s*(?:adet|ad|tane|pcs?|pieces?|units?)\.?$/iu;

/**
 * The count that a stock cell with words means: 0 for words such as `yok`, 15 for `15 adet`;
 * `undefined` for any other text.
 */
export function proposeCount(text: string): string | undefined {
  if (NO_STOCK.has(fold(text))) return "0";
  const { count } = PIECES.exec(trimText(text))?.groups ?? {};
  return count === undefined ? undefined : String(Number(count));
}

const NUMBER = /\d(?:[\d.,\s]*\d)?/u;

/** The text with its number rewritten for a decimal sign, as `1299,9` for `1299.9`. */
export function rewriteDecimals(text: string, decimal: DecimalSign): string {
  const [group, sign, other] = decimal === "comma" ? [",", ",", "."] : [".", ".", ","];
  return text.replace(NUMBER, (number) =>
    number.replaceAll(/\s/gu, "").replaceAll(group, "").replace(other, sign),
  );
}
