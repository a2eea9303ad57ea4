/** A file with 37 mistakes in 20 rows, and what each of them is. */

import { addressOf, goodRow, type HEADERS, type ProductRow } from "./product-sheet.ts";

type Header = (typeof HEADERS)[number];
export type Mistake = readonly [header: Header, value: string | number | null, code: string];

const PRICE = "Fiyat *";
const STOCK = "Stok *";
const TITLE = "Başlık *";
const BRAND = "Marka *";
const CATEGORY = "Kategori *";
const TYPE = "Garanti Tipi *";
const PERIOD = "Garanti Süresi *";
const TEMPLATE = "Teslimat Şablonu *";
const IMAGE = "Görsel 1 *";
const CODE = "Ürün Kodu *";

/** 20 rows with 37 mistakes between them; the rows are interleaved with good ones. */
export const MISTAKES: readonly (readonly Mistake[])[] = [
  [[PRICE, "on iki", "E_NOT_A_NUMBER"]],
  [[STOCK, -5, "E_STOCK_NEGATIVE"]],
  [
    [PRICE, 0, "E_PRICE_NOT_POSITIVE"],
    [STOCK, 1.5, "E_NOT_INTEGER"],
  ],
  [[TITLE, null, "E_REQUIRED"]],
  [
    [TITLE, null, "E_REQUIRED"],
    ["Alt Başlık *", null, "E_REQUIRED"],
    ["Açıklama *", null, "E_REQUIRED"],
  ],
  [[CATEGORY, "Böyle Bir Kategori Yok", "E_CATEGORY_UNKNOWN"]],
  [[CATEGORY, "Aksesuar", "E_CATEGORY_AMBIGUOUS"]],
  [
    [BRAND, "Hiç Duyulmamış Marka", "E_BRAND_UNKNOWN"],
    [PRICE, 19.999, "E_PRICE_PRECISION"],
  ],
  [
    [TYPE, "Ömür Boyu", "E_VALUE_UNKNOWN"],
    [TEMPLATE, "Olmayan Şablon", "E_TEMPLATE_UNKNOWN"],
  ],
  [[PERIOD, "24 Ay", "E_WARRANTY"]],
  [
    [IMAGE, "http://ornek.example/a.jpg", "E_IMAGE_URL"],
    [STOCK, "çok", "E_NOT_A_NUMBER"],
  ],
  [
    [TITLE, null, "E_REQUIRED"],
    [PRICE, null, "E_REQUIRED"],
    [STOCK, null, "E_REQUIRED"],
    [TEMPLATE, null, "E_REQUIRED"],
    [IMAGE, null, "E_REQUIRED"],
  ],
  [[PRICE, "1E+3", "E_NOT_A_NUMBER"]],
  [
    [PRICE, "12,3456", "E_PRICE_PRECISION"],
    [STOCK, "-1", "E_STOCK_NEGATIVE"],
  ],
  [
    ["Model *", null, "E_REQUIRED"],
    [PRICE, "1,234.5,6", "E_NOT_A_NUMBER"],
  ],
  [
    [BRAND, null, "E_REQUIRED"],
    ["Açıklama *", null, "E_REQUIRED"],
  ],
  [[CODE, "8,69E+12", "E_CODE_NOT_TEXT"]],
  [
    [CODE, null, "E_KEY_MISSING"],
    [TYPE, "?", "E_VALUE_UNKNOWN"],
  ],
  [
    [PERIOD, "5 Yıl", "E_VALUE_UNKNOWN"],
    [IMAGE, "resim.jpg", "E_IMAGE_FILE"],
    [PRICE, -1, "E_PRICE_NOT_POSITIVE"],
  ],
  [
    [STOCK, "12,5", "E_NOT_INTEGER"],
    [TITLE, null, "E_REQUIRED"],
  ],
];

/** Rows 2, 4, … are bad, and rows 3, 5, … below each of them are good. */
export function mistakenRows(): ProductRow[] {
  return MISTAKES.flatMap((mistakes, index) => [
    goodRow(index + 1, Object.fromEntries(mistakes.map(([header, value]) => [header, value]))),
    goodRow(index + 101),
  ]);
}

/** Address and code of each mistake. */
export const EXPECTED_ISSUES: readonly string[] = MISTAKES.flatMap((mistakes, index) =>
  mistakes.map(([header, , code]) => `${addressOf(header, 2 * index + 2)} ${code}`),
).toSorted();

/** The same rows without a mistake, with the codes that the corrections give them. */
export const correctedRows = (): ProductRow[] =>
  MISTAKES.flatMap((_, index) => [goodRow(index + 1), goodRow(index + 101)]);
