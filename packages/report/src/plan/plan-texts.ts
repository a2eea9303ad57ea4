/** Texts of the plan's workbook. */

import type { Localized } from "@catalog/i18n";
import type { CapabilityState } from "@catalog/runs";

/** The columns of the sheet of changes, in their order. */
export const PLAN_HEADERS: readonly Localized[] = [
  { tr: "Satır", en: "Row" },
  { tr: "Ürün Kodu", en: "Product Code" },
  { tr: "Başlık", en: "Title" },
  { tr: "Plan", en: "Plan" },
  { tr: "Alan", en: "Field" },
  { tr: "Eski Değer", en: "Old Value" },
  { tr: "Yeni Değer", en: "New Value" },
  { tr: "Pazaryeri Alıyor mu?", en: "Taken by the Store?" },
  { tr: "Koruma", en: "Guard" },
  { tr: "Açıklama", en: "Remarks" },
];

/** The columns of the sheet of the biggest changes. */
export const BIGGEST_HEADERS: readonly Localized[] = [
  { tr: "Alan", en: "Field" },
  { tr: "Değişen Satır Sayısı", en: "Rows That Change" },
  { tr: "Satır", en: "Row" },
  { tr: "Ürün Kodu", en: "Product Code" },
  { tr: "Eski Değer", en: "Old Value" },
  { tr: "Yeni Değer", en: "New Value" },
  { tr: "Değişim (%)", en: "Change (%)" },
  { tr: "Plan", en: "Plan" },
];

/** The columns of the sheet of fields. */
export const FIELD_HEADERS: readonly Localized[] = [
  { tr: "İstek", en: "Call" },
  { tr: "Alan", en: "Field" },
  { tr: "Pazaryeri Alıyor mu?", en: "Taken by the Store?" },
  { tr: "Satır Sayısı", en: "Rows" },
];

/** The columns of the sheet of columns. */
export const COLUMN_HEADERS: readonly Localized[] = [
  { tr: "Sütun", en: "Column" },
  { tr: "Dosyadaki Başlık", en: "Header in File" },
  { tr: "Alan", en: "Field" },
  { tr: "Örnek Değer", en: "Sample" },
];

/** Stands for the field of a column that is not used. */
export const NOT_USED: Localized = { tr: "kullanılmadı", en: "not used" };

export const PLAN_SHEETS: Readonly<
  Record<"changes" | "biggest" | "products" | "fields" | "columns", Localized>
> = {
  changes: { tr: "Plan", en: "Plan" },
  biggest: { tr: "En Büyük Değişimler", en: "Biggest Changes" },
  products: { tr: "Yeni Ürünler", en: "New Products" },
  fields: { tr: "Alanlar", en: "Fields" },
  columns: { tr: "Sütunlar", en: "Columns" },
};

/** Stands for the changes of a new product, which has its own row on another sheet. */
export const SEE_PRODUCTS: Localized = {
  tr: "Bütün alanlar “Yeni Ürünler” sayfasında",
  en: "All fields are on the sheet “New Products”",
};

/** What the plan does with a row. */
export type PlannedKind =
  | "add"
  | "update"
  | "unchanged"
  | "skipped"
  | "unsendable"
  | "held"
  | "invalid"
  | "duplicate";

export const PLAN_TEXTS: Readonly<Record<PlannedKind, Localized>> = {
  add: { tr: "Eklenecek", en: "Add" },
  update: { tr: "Güncellenecek", en: "Update" },
  unchanged: { tr: "Değişmeyecek", en: "Unchanged" },
  skipped: { tr: "Atlanacak", en: "Skip" },
  unsendable: { tr: "Gönderilemeyecek", en: "Cannot be sent" },
  held: { tr: "Bekletilecek", en: "Hold" },
  invalid: { tr: "Hatalı", en: "Invalid" },
  duplicate: { tr: "Tekrar", en: "Duplicate" },
};

export const CAPABILITY_TEXTS: Readonly<Record<CapabilityState, Localized>> = {
  documented: { tr: "evet, belgesinde var", en: "yes, documented" },
  assumed: { tr: "henüz denenmedi", en: "not tried yet" },
  proven: { tr: "evet, denendi", en: "yes, tried" },
  refused: { tr: "hayır, denendi", en: "no, tried" },
};

/** Text for a value that the listing does not show. */
export const NOT_SHOWN: Localized = {
  tr: "(mağaza listesi göstermiyor)",
  en: "(not shown by the store's listing)",
};
