/** Numbers of rows and kinds of issues for people. */

import type { DraftRecord, DraftRowCounts } from "@catalog/database";
import type { Localized } from "@catalog/i18n";

import type { DraftCountsView, DraftDetails } from "./draft-views.ts";

/** The counts as a page shows them. */
export function toCountsView(counts: DraftRowCounts): DraftCountsView {
  const { ok, warn, error, excluded, edited, kinds } = counts;
  return {
    rows: ok + warn + error,
    sound: ok + warn,
    warnings: warn,
    errors: error,
    excluded,
    edited,
    kinds: kinds.map((kind) => Object.assign({ label: labelOf(kind.code) }, kind)),
  };
}

/** The run that was planned from a draft, and whether the draft is still as it was. */
export const toRunView = ({
  run,
  version,
}: Pick<DraftRecord, "run" | "version">): DraftDetails["run"] =>
  run === null ? null : { id: run.id, isCurrent: run.version === version };

/** A kind of issue in a few words. */
export function labelOf(code: string): Localized {
  const known = LABELS.get(code);
  if (known !== undefined) return known;
  return code.startsWith("W_")
    ? { tr: "Uyarı", en: "Warning" }
    : { tr: "Hatalı değer", en: "Wrong value" };
}

const LABELS: ReadonlyMap<string, Localized> = new Map([
  ["E_COLUMN_COUNT", { tr: "Hücre sayısı farklı", en: "Wrong number of cells" }],
  ["E_FORMULA", { tr: "Sonucu olmayan formül", en: "Formula without a result" }],
  ["E_CODE_DUPLICATE", { tr: "Aynı ürün kodu", en: "Same product code" }],
  ["E_CODE_SUSPECT", { tr: "Benzer ürün kodu", en: "Similar product codes" }],
  ["E_REQUIRED", { tr: "Zorunlu hücre boş", en: "Required cell is empty" }],
  ["E_KEY_MISSING", { tr: "Ürün kodu yok", en: "No product code" }],
  ["E_NOT_A_NUMBER", { tr: "Sayı değil", en: "Not a number" }],
  ["E_NUMBER_MIXED", { tr: "İki türlü okunabilen sayı", en: "Number with two readings" }],
  ["E_STOCK_NEGATIVE", { tr: "Stok eksi", en: "Stock below zero" }],
  ["E_PRICE_NOT_POSITIVE", { tr: "Fiyat sıfır ya da eksi", en: "Price of zero or less" }],
  ["E_CATEGORY_UNKNOWN", { tr: "Bilinmeyen kategori", en: "Unknown category" }],
  ["E_BRAND_UNKNOWN", { tr: "Bilinmeyen marka", en: "Unknown brand" }],
  ["E_BRAND_NEEDS_CATEGORY", { tr: "Marka için kategori gerekli", en: "Brand without a category" }],
  ["E_CELL_ERROR", { tr: "Hücrede hata değeri", en: "Error value in the cell" }],
  ["W_ROW_LEFT_OUT", { tr: "Ürün sayılmayan satır", en: "Row that is no product" }],
  ["W_UNPUBLISHED_ROWS", { tr: "Satışta olmayan ürün", en: "Product not on sale" }],
]);
