/**
 * The version stamp of our workbooks, which tells an old one, or another store's, from a current
 * one.
 */

import { canonicalStoreId } from "@catalog/client/market-address";
import type { Localized } from "@catalog/i18n";

import { WORKBOOK_VERSION } from "../templates/product-workbook.ts";

/** The lines of the hidden sheet `_meta`, by name; only our workbooks have it. */
export type TemplateVersion = ReadonlyMap<string, string>;

/** Notes on an old workbook, or another store's, before it is used. */
export function toTemplateVersionNotes(
  stamp: TemplateVersion | undefined,
  storeId: string,
): readonly Localized[] {
  if (stamp === undefined) return [];
  const notes: Localized[] = [];
  const store = stamp.get("store") ?? storeId;
  if (canonicalStoreId(store) !== canonicalStoreId(storeId)) {
    notes.push({
      tr: `Bu şablon başka bir mağaza için yapılmış (${store}); teslimat şablonları farklı olabilir.`,
      en: `This workbook was made for another store (${store}); its shipping templates may differ.`,
    });
  }
  const version = Number(stamp.get("version"));
  if (version !== WORKBOOK_VERSION) {
    const [tr, en] =
      version > WORKBOOK_VERSION
        ? ["daha yeni bir sürümle", "a newer version"]
        : ["eski bir sürümle", "an older version"];
    notes.push({
      tr: `Bu şablon ${tr} yapılmış; yenisi için: catalog template`,
      en: `This workbook was made by ${en}; for today's: catalog template`,
    });
  }
  return notes;
}
