/** The guards in words. */

import type { Localized } from "@catalog/i18n";
import { type GuardName, guardOf, PRICE_UNIT_CODE, type RowIssue } from "@catalog/runs";

const GUARD_TEXTS: Readonly<Record<GuardName, Localized>> = {
  "price-drop": { tr: "Fiyat çok düşüyor", en: "Price falls too far" },
  "price-rise": { tr: "Fiyat çok artıyor", en: "Price rises too far" },
  "price-scale": { tr: "Fiyat 100 kat şaşmış olabilir", en: "Price may be 100 times off" },
  "discount-price": { tr: "İndirimli fiyat fiyattan yüksek", en: "Discounted price is not lower" },
  "currency-change": { tr: "Para birimi değişiyor", en: "Currency changes" },
  "stock-rise": { tr: "Stok başka bir numara olabilir", en: "Stock may be another number" },
  "zero-stock": { tr: "Çok sayıda stok sıfırlanıyor", en: "Too many stocks go to 0" },
  "few-rows": { tr: "Besleme eksik görünüyor", en: "The feed seems incomplete" },
  "fewer-columns": { tr: "Beslemeden sütun eksilmiş", en: "The feed lacks a column" },
  "garbled-text": { tr: "Bozuk harfler", en: "Garbled letters" },
  "moved-values": {
    tr: "Çok sayıda ürün başka ürünün değerini alıyor",
    en: "Many products get the value of another",
  },
  "same-text": { tr: "Çok sayıda ürün aynı metni alıyor", en: "Many products get the same text" },
  "short-text": { tr: "Metinler çok kısalıyor", en: "Texts shrink too far" },
  "other-text": { tr: "Başlıklar bambaşka oluyor", en: "Titles keep none of their words" },
  "brand-change": {
    tr: "Çok sayıda ürünün markası ya da kategorisi değişiyor",
    en: "Too many brands or categories change",
  },
  "no-images": {
    tr: "Çok sayıda ürünün görselleri kalkıyor",
    en: "Too many products lose their images",
  },
};

const UNKNOWN_UNIT: Localized = { tr: "Fiyat birimi bilinmiyor", en: "Price unit unknown" };

/** The guard that holds a row, in words; an unknown unit of prices has words of its own. */
export function describeGuard(issue: Pick<RowIssue, "code">): Localized | undefined {
  if (issue.code === PRICE_UNIT_CODE) return UNKNOWN_UNIT;
  const guard = guardOf(issue);
  return guard && GUARD_TEXTS[guard];
}
