import { headerKey, splitHeader } from "../header-key.ts";
import type { HeaderMatch } from "../header-matcher.ts";

/** Headers that occur only in price lists and orders of suppliers. */
const MARKS: ReadonlySet<string> = new Set(
  "Birim Fiyat|Birim Fiyatı|Adet Fiyatı|Unit Price|Bayi Fiyatı|Bayi Fiyat|Dealer Price|Net Fiyat|Net Fiyatı|Net Price|İskonto|İskonto Oranı|Tutar|Toplam Tutar|Net Tutar|Amount|Line Total|MOQ"
    .split("|")
    .map((header) => headerKey(header)),
);

/** Keeps headers in doubt only in a supplier's list; in any other file they are certain. */
export function resolveTradeHeaders(
  matches: readonly HeaderMatch[],
  headers: readonly string[],
): readonly HeaderMatch[] {
  const isTradeList = headers.some((header) => MARKS.has(headerKey(splitHeader(header).rest)));
  return matches.map((match) => {
    const { doubt } = match;
    if (doubt?.kind !== "trade-list") return match;
    if (!isTradeList) return { ...match, doubt: undefined };
    const suggestion = doubt.target.field;
    return { ...match, target: { kind: "unknown", suggestion }, doubt };
  });
}
