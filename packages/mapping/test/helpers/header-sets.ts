/** Headers of real sellers' files. */

import type { Lang } from "@catalog/i18n";

import type { FieldKey } from "../../src/fields/field.ts";
import { FIELDS } from "../../src/fields/fields.ts";

export interface HeaderSet {
  readonly name: string;
  readonly header: readonly string[];
  /** Header by field; all others have to stay unmapped. */
  readonly expected: Readonly<Partial<Record<FieldKey, string>>>;
  /** Known headers that no call takes. @default none */
  readonly neverSent?: readonly string[];
  /** Headers with a suggested field that are not used. @default none */
  readonly suggested?: Readonly<Record<string, FieldKey>>;
  /** Columns that lose their field to one of lower rank. @default none */
  readonly beaten?: readonly string[];
  /** Columns with ids of another platform. @default none */
  readonly otherIds?: readonly string[];
}

const list = (text: string): readonly string[] => text.split("|");

const byHeader = (header: (field: (typeof FIELDS)[number]) => string): HeaderSet["expected"] =>
  Object.fromEntries(FIELDS.map((field) => [field.key, header(field)]));

const images = (n: number, word: string): readonly string[] =>
  Array.from({ length: n }, (_, index) => `${word}${index + 1}`);

const imageFields = (n: number, word: string): HeaderSet["expected"] =>
  Object.fromEntries(images(n, word).map((header, index) => [`image_${index + 1}`, header]));

const ours = (language: Lang): HeaderSet => ({
  name: `our own in ${language}`,
  header: FIELDS.map((field) => field.writtenHeader[language]),
  expected: byHeader((field) => field.writtenHeader[language]),
});

export const HEADER_SETS: readonly HeaderSet[] = [
  ours("tr"),
  ours("en"),
  {
    name: "machine keys",
    header: FIELDS.map((field) => field.key),
    expected: byHeader((field) => field.key),
  },
  {
    name: "a panel's upload form",
    header: [
      ...list("Barkod|Model Kodu|Marka|Kategori|Para Birimi|Ürün Adı|Ürün Açıklaması"),
      ...list("Piyasa Satış Fiyatı (KDV Dahil)|Trendyol'da  Satılacak Fiyat (KDV Dahil)"),
      ...list("Ürün Stok Adedi|Stok Kodu|KDV Oranı|Desi"),
      ...images(8, "Görsel "),
      ...list("Sevkiyat Süresi|Sevkiyat Tipi|Renk|Garanti Tipi|Garanti Süresi"),
    ],
    expected: {
      brand: "Marka",
      category: "Kategori",
      currency: "Para Birimi",
      title: "Ürün Adı",
      description: "Ürün Açıklaması",
      list_price: "Piyasa Satış Fiyatı (KDV Dahil)",
      price: "Trendyol'da  Satılacak Fiyat (KDV Dahil)",
      stock: "Ürün Stok Adedi",
      product_code: "Stok Kodu",
      warranty_type: "Garanti Tipi",
      warranty_period: "Garanti Süresi",
      ...imageFields(8, "Görsel "),
    },
    neverSent: ["Barkod", "KDV Oranı", "Desi", "Sevkiyat Süresi", "Sevkiyat Tipi"],
    suggested: { "Model Kodu": "brand_model" },
  },
  {
    name: "a panel's report",
    header: [
      ...list("Partner ID|Barkod|Komisyon Oranı|Model Kodu|Ürün Rengi|Beden|Cinsiyet|Marka"),
      ...list("Kategori İsmi|Tedarikçi Stok Kodu|Ürün Adı|Durum"),
    ],
    expected: {
      brand: "Marka",
      category: "Kategori İsmi",
      product_code: "Tedarikçi Stok Kodu",
      title: "Ürün Adı",
    },
    neverSent: ["Barkod", "Komisyon Oranı", "Durum"],
    suggested: { "Model Kodu": "brand_model" },
  },
  {
    name: "a listing with two codes",
    header: list("SKU|Satıcı Stok Kodu|Barkod|Ürün Adı|Fiyat|Stok|Komisyon Oranı"),
    expected: {
      product_code: "Satıcı Stok Kodu",
      title: "Ürün Adı",
      price: "Fiyat",
      stock: "Stok",
    },
    neverSent: ["Barkod", "Komisyon Oranı"],
    beaten: ["SKU"],
  },
  {
    name: "a listing's upload form",
    header: [
      ...list("Ürün Adı|Satıcı Stok Kodu|Barkod|Marka|Kategori|Desi|KDV|Garanti Süresi (Ay)"),
      ...images(5, "Görsel"),
    ],
    expected: {
      title: "Ürün Adı",
      product_code: "Satıcı Stok Kodu",
      brand: "Marka",
      category: "Kategori",
      warranty_period: "Garanti Süresi (Ay)",
      ...imageFields(5, "Görsel"),
    },
    neverSent: ["Barkod", "Desi", "KDV"],
  },
  {
    name: "a listing with three codes",
    header: [
      ...list("Kategori ID|Grup Kodu|Ürün Kodu|Mağaza Ürün Kodu|Mağaza Stok Kodu|Katalog ID"),
      ...list("Barkod|Ürün Başlığı|Alt Başlık|Ürün Statüsü|Mağaza Notu|Hazırlık Süresi|Stok"),
      ...list("Para Birimi|Piyasa Satış Fiyatı|Satış Fiyatı|Teslimat Şablonu İsmi"),
    ],
    expected: {
      product_code: "Mağaza Ürün Kodu",
      title: "Ürün Başlığı",
      sub_title: "Alt Başlık",
      note: "Mağaza Notu",
      stock: "Stok",
      currency: "Para Birimi",
      list_price: "Piyasa Satış Fiyatı",
      price: "Satış Fiyatı",
      shipping_template: "Teslimat Şablonu İsmi",
    },
    neverSent: ["Barkod", "Ürün Statüsü", "Hazırlık Süresi"],
    beaten: ["Mağaza Stok Kodu"],
    otherIds: ["Kategori ID", "Ürün Kodu", "Katalog ID"],
  },
  {
    name: "an integrator's file",
    header: [
      ...list("Ana Ürün Kodu|Stok Kodu*|Ürün Adı*|Alt Başlık|Stok*|Para Birimi*|Fiyat *|Marka"),
      ...list("Açıklama|Resimler|Kategori|Garanti(Ay)"),
    ],
    expected: {
      product_code: "Stok Kodu*",
      title: "Ürün Adı*",
      sub_title: "Alt Başlık",
      stock: "Stok*",
      currency: "Para Birimi*",
      price: "Fiyat *",
      brand: "Marka",
      description: "Açıklama",
      images: "Resimler",
      category: "Kategori",
      warranty_period: "Garanti(Ay)",
    },
  },
];
