import { headerKey, splitHeader } from "../header-key.ts";
import { type HeaderMatch } from "../header-matcher.ts";

/** Headers of price lists and orders of suppliers; no shop writes them of what it sells itself. */
const MARKS: ReadonlySet<string> = new Set(
  "Birim Fiyat|Birim Fiyatı|Adet Fiyatı|Unit Price|Bayi Fiyatı|Bayi Fiyat|Dealer Price|Net Fiyat|Net Fiyatı|Net Price|İskonto|İskonto Oranı|Tutar|Toplam Tutar|Net Tutar|Amount|Line Total|MOQ"
    .split("|")
    .map((header) => headerKey(header)),
);

/** Leaves headers in doubt that only such a file uses for something else; elsewhere they are sure. */
export function settleTradeDoubts(
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
