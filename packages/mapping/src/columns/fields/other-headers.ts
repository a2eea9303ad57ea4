/** Headers that are no field of ours but are known all the same. */

import { type Lang, type Localized } from "@catalog/i18n";

import { headerWords } from "../header-key.ts";

/** Known from other panels and from exports; no call takes them. The user is told once. */
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
];

/** Columns of our own result files; skipped without a word. */
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
];

/** Whether a column is one that our result files add, and no part of a seller's own sheet. */
export function isOwnResultHeader(header: string): boolean {
  return OWN_KEYS.has(headerWords(header));
}

const OWN_KEYS: ReadonlySet<string> = new Set(OWN_RESULT.map((header) => headerWords(header)));

/** What our exports write behind the header of a column that is only for reading. */
const READ_ONLY: Localized = { tr: "(salt okunur)", en: "(read-only)" };

/** A header that says by itself that nobody reads the column back. */
export function formatReadOnlyHeader(header: string, language: Lang): string {
  return `${header} ${READ_ONLY[language]}`;
}

/** Whether a header says so; such a column is skipped without a word. */
export function isReadOnlyHeader(header: string): boolean {
  const end = header.trim();
  return end.endsWith(READ_ONLY.tr) || end.endsWith(READ_ONLY.en);
}

/** Names that objects already have, or that a parser makes up: never safe as a header. */
export function isReservedHeader(header: string): boolean {
  return header in Object.prototype || RESERVED.has(header);
}

const RESERVED: ReadonlySet<string> = new Set(["prototype", "__parsed_extra"]);
