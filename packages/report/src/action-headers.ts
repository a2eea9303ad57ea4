/** Headers that results of lists of actions add, and that a new result of one of them writes anew. */

import type { Localized } from "@catalog/i18n";

/** The status before and after. */
export const STATUS_HEADERS: readonly Localized[] = [
  { tr: "Önceki Durum", en: "Status Before" },
  { tr: "Sonraki Durum", en: "Status After" },
];

/** What the answer to an acceptance or a postponement may name (section Orders). */
export const DISCOUNT_HEADER: Localized = { tr: "Sipariş İndirim Kodu", en: "Order Discount Code" };

/** All of them in both languages. */
export const ACTION_HEADERS: readonly string[] = [...STATUS_HEADERS, DISCOUNT_HEADER].flatMap(
  ({ tr, en }) => [tr, en],
);
