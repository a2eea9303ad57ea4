/** Known headers that belong to no field. */

import type { Lang, Localized } from "@catalog/i18n";

import { headerWords } from "../header-key.ts";

const toHeaders = (list: string): readonly string[] => list.split(";");

/** Headers of other panels and of exports that no call takes. The user is told once per file. */
export const NEVER_SENT: readonly string[] = [
  "Barkod",
  "Barcode",
  "EAN",
  "GTIN",
  "KDV Oranı",
  "KDV",
  "VAT",
  "VAT Rate",
  "Desi",
  "Sevkiyat Süresi",
  "Hazırlık Süresi",
  "Varyant",
  "Variant",
  "Komisyon Oranı",
  "paid_price",
  "Satış Tutarı",
  "shipping_price",
  "Kargo Ücreti",
  "Durum",
  "status",
  "Ürün Statüsü",
  "Bağlantı",
  "URL",
  "Özellikler",
  "Properties",
  "sid",
  "item_type",
  ...toHeaders(
    "Alış Fiyatı;Alış Fiyat;Maliyet;Maliyet Fiyatı;Cost;Cost Price;Unit Cost;Purchase Price",
  ),
  ...toHeaders("Buying Price;Barkod No;Barkodu;Barcode Number;EAN Code;EAN13;EAN-13;UPC;Tax Rate"),
  ...toHeaders("Vergi Oranı;KDV Yüzdesi;GTİP;HS Code;Product URL;Ürün Linki;Created At;Updated At"),
  ...toHeaders("Oluşturma Tarihi;Güncelleme Tarihi;Meta Title;Meta Description;Meta Keywords"),
  ...toHeaders("SEO Title;SEO Description;Slug;Kritik Stok;Min Stok;Sort Order"),
];

/** Columns of this program's result files; skipped without a warning. */
export const OWN_RESULT: readonly string[] = [
  "Sonuç",
  "Result",
  "Hata Kodu",
  "Error Code",
  "Hata",
  "Error",
  "Öneri",
  "Suggestion",
  "Bekleyen Satır",
  "Held Row",
  "Eski Değer",
  "Old Value",
  "Yeni Değer",
  "New Value",
  "Değişim (%)",
  "Change (%)",
  "Koruma",
  "Guard",
  "Neden",
  "Reason",
  "Onay",
  "Approve",
  "Mağazada",
  "In Store",
  "Satır Kaydı",
  "Row Record",
  "Dosyadaki Satır",
  "Row in File",
  "Pazaryeri ID",
  "Marketplace ID",
  "Mağazadaki Ürün",
  "Product in Store",
];

/** Whether a header belongs to a column that result files add to a seller's sheet. */
export function isOwnResultHeader(header: string): boolean {
  return OWN_KEYS.has(headerWords(header));
}

const OWN_KEYS: ReadonlySet<string> = new Set(OWN_RESULT.map((header) => headerWords(header)));

/** Suffix that exports write behind the header of a read-only column. */
const READ_ONLY: Localized = { tr: "(salt okunur)", en: "(read-only)" };

/** The header of a read-only column, which an import skips. */
export function formatReadOnlyHeader(header: string, language: Lang): string {
  return `${header} ${READ_ONLY[language]}`;
}

/** Whether a header has the read-only suffix; such a column is skipped without a warning. */
export function isReadOnlyHeader(header: string): boolean {
  const end = header.trim();
  return end.endsWith(READ_ONLY.tr) || end.endsWith(READ_ONLY.en);
}

/** Whether a header is a name of an object's own properties, or one that a parser generates. */
export function isReservedHeader(header: string): boolean {
  return header in Object.prototype || RESERVED.has(header);
}

const RESERVED: ReadonlySet<string> = new Set(["prototype", "__parsed_extra"]);
