import type { CellValue } from "../rows/source-row.ts";
import { splitCurrency } from "./money.ts";

const DASHES = /^[-\u2212–—]+$/u;
const ZERO = /^0+(?:[.,]0+)?$/u;

/**
 * Whether a cell says that there is no such price, as programs write it into the columns of the
 * list price and the discounted price: `0`, `0,00 TL` or `-`.
 */
export function isNoPrice(value: CellValue, text: string): boolean {
  if (typeof value === "number") return value === 0;
  return DASHES.test(text) || ZERO.test(splitCurrency(text)?.number ?? "");
}
