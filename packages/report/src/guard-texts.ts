/** The guards in words. */

import type { Localized } from "@catalog/i18n";
import type { GuardName } from "@catalog/runs";

export const GUARD_TEXTS: Readonly<Record<GuardName, Localized>> = {
  "price-drop": { tr: "Fiyat çok düşüyor", en: "Price falls too far" },
  "price-rise": { tr: "Fiyat çok artıyor", en: "Price rises too far" },
  "price-scale": { tr: "Fiyat 100 kat şaşmış olabilir", en: "Price may be 100 times off" },
  "discount-price": { tr: "İndirimli fiyat fiyattan yüksek", en: "Discounted price is not lower" },
  "zero-stock": { tr: "Çok sayıda stok sıfırlanıyor", en: "Too many stocks go to 0" },
  "few-rows": { tr: "Besleme eksik görünüyor", en: "The feed seems incomplete" },
};
