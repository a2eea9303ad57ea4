/** Headers that are no field of ours but are known all the same. */

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
];

/** Names that objects already have, or that a parser makes up: never safe as a header. */
export function isReservedHeader(header: string): boolean {
  return header in Object.prototype || RESERVED.has(header);
}

const RESERVED: ReadonlySet<string> = new Set(["prototype", "__parsed_extra"]);
