/** Warnings about the whole feed, however many rows they concern. */

import { fieldLabel } from "@catalog/connection";
import { formatNumber, type Localized } from "@catalog/i18n";
import { PRICE_UNIT_WARNING, describeSuggestion } from "@catalog/importer";
import type { RunRecord, RunWarning } from "@catalog/runs";

import type { FeedRecord } from "./feed-state.ts";
import type { FeedPlan } from "./plan-feed.ts";

/** `refused` is the line about fields that the store does not take, where the feed has some. */
export function warnOfPlan(
  { unsendable, unguarded, suggestion }: Pick<FeedPlan, "unsendable" | "unguarded" | "suggestion">,
  refused: readonly Localized[],
): readonly RunWarning[] {
  const isLeft = unsendable.rows + unsendable.partly > 0;
  return [
    // Where the store already has the feed's values, no field is left out.
    ...(isLeft ? refused.map((message) => ({ code: "W_FIELD_REFUSED", message })) : []),
    ...(unguarded > 0
      ? [{ code: PRICE_UNIT_WARNING, message: describeUnguarded(unguarded, suggestion) }]
      : []),
  ];
}

/** Tells of products that the last accepted version had; nothing is sent for them. */
export function noteFewerRows(rows: number, last: FeedRecord | undefined): readonly RunWarning[] {
  const missing = (last?.rows ?? 0) - rows;
  if (missing <= 0) return [];
  return [
    {
      code: "W_FEED_FEWER_ROWS",
      message: {
        tr: `Beslemede son alınan sürümünden ${formatNumber(missing, "tr")} satır az var; beslemede olmayan ürünlerin stoğuna ve fiyatına dokunulmaz.`,
        en: `The feed has fewer rows than its last accepted version (${formatNumber(missing, "en")} fewer); stocks and prices of products that it does not have are left as they are.`,
      },
    },
  ];
}

/** Tells of columns whose cells are all empty, as nothing is sent of them. */
export function warnOfEmpty(
  mapped: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): readonly RunWarning[] {
  return Object.entries(mapped)
    .filter(([field]) => !Object.hasOwn(given, field))
    .map(([field, header]) => ({
      code: "W_FEED_COLUMN_EMPTY",
      message: {
        tr: `“${header}” sütunu bütün satırlarda boş; ${fieldLabel(field, "tr")} gönderilmiyor.`,
        en: `The column “${header}” is empty in every row; ${fieldLabel(field, "en")} is not sent.`,
      },
    }));
}

const describeUnguarded = (rows: number, suggestion: FeedPlan["suggestion"]): Localized => ({
  tr: [
    `Fiyatı değişen ${rows} satır bekletildi: mağazadaki fiyatların birimi (kuruş mu, lira mı) henüz bilinmiyor, fiyat korumaları bakamadı. Stok değişiklikleri bekletilmez, gönderilir. Birimi biliyorsanız bir kez --price-unit minor (kuruş) ya da --price-unit major (lira) ile çalıştırın; sonraki eşitlemeler hatırlar.`,
    ...describeSuggestion(suggestion, "tr"),
  ].join(" "),
  en: [
    `Rows held because they change a price: ${rows}. The unit of the store's prices (minor or major) is not known yet, so no price guard could look at them. Their stock changes do not wait; they are sent. If you know the unit, run it once with --price-unit minor or --price-unit major; later syncs remember it.`,
    ...describeSuggestion(suggestion, "en"),
  ].join(" "),
});

/** Warnings about what sending has taught about the store. */
export function newWarnings(now: RunRecord, before: RunRecord): readonly Localized[] {
  const shown = new Set(before.warnings.map(({ message }) => message.en));
  return now.warnings.map(({ message }) => message).filter(({ en }) => !shown.has(en));
}
