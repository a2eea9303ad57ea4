/** Headers that results of lists of actions add, and that a new result of one of them writes anew. */

import type { Localized } from "@catalog/i18n";

/** The status before and after. */
export const STATUS_HEADERS: readonly Localized[] = [
  { tr: "Önceki Durum", en: "Status Before" },
  { tr: "Sonraki Durum", en: "Status After" },
];

/** The same in both languages. */
export const ACTION_HEADERS: readonly string[] = STATUS_HEADERS.flatMap(({ tr, en }) => [tr, en]);
