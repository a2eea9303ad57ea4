/** Headers of real sellers' files. */

import type { Lang } from "@catalog/i18n";

import { type FieldKey, FIELDS } from "../../src/fields/fields.ts";

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

const byHeader = (header: (field: (typeof FIELDS)[number]) => string): HeaderSet["expected"] =>
  Object.fromEntries(FIELDS.map((field) => [field.key, header(field)]));

const images = (n: number, word: string): string =>
  Array.from({ length: n }, (_, at) => `${word}${at + 1}=image_${at + 1}`).join("|");

/**
 * Reads headers, each with what becomes of it: `=field` where it is mapped, `?field` where a field is
 * suggested, `-` where no call takes it, `<` where it loses its field, `#` for ids of others.
 */
function setOf(name: string, ...parts: readonly string[]): HeaderSet {
  const columns = parts
    .join("|")
    .split("|")
    .map(
      (text) => /^(?<header>[^=?<#-]+)(?<mark>[=?<#-]?)(?<field>\w*)$/u.exec(text)?.groups ?? {},
    );
  const marked = (mark: string) => columns.filter((column) => column["mark"] === mark);
  const headers = (mark: string): readonly string[] =>
    marked(mark).map(({ header = "" }) => header);
  return {
    name,
    header: columns.map(({ header = "" }) => header),
    expected: Object.fromEntries(marked("=").map(({ field, header }) => [field, header])),
    neverSent: headers("-"),
    suggested: Object.fromEntries(
      marked("?").flatMap(({ field, header = "" }) =>
        isFieldKey(field) ? [[header, field] as const] : [],
      ),
    ),
    beaten: headers("<"),
    otherIds: headers("#"),
  };
}

const isFieldKey = (text: string | undefined): text is FieldKey =>
  FIELDS.some(({ key }) => key === text);

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
  setOf(
    "a panel's upload form",
    "Barkod-|Model Kodu?brand_model|Marka=brand|Kategori=category|Para Birimi=currency",
    "Ürün Adı=title|Ürün Açıklaması=description|Piyasa Satış Fiyatı (KDV Dahil)=list_price",
    "Trendyol'da  Satılacak Fiyat (KDV Dahil)=price|Ürün Stok Adedi=stock|Stok Kodu=product_code",
    "KDV Oranı-|Desi-",
    images(8, "Görsel "),
    "Sevkiyat Süresi-|Sevkiyat Tipi-|Renk|Garanti Tipi=warranty_type|Garanti Süresi=warranty_period",
  ),
  setOf(
    "a panel's report",
    "Partner ID|Barkod-|Komisyon Oranı-|Model Kodu?brand_model|Ürün Rengi|Beden|Cinsiyet|Marka=brand",
    "Kategori İsmi=category|Tedarikçi Stok Kodu=product_code|Ürün Adı=title|Durum-",
  ),
  setOf(
    "a listing with two codes",
    "SKU<|Satıcı Stok Kodu=product_code|Barkod-|Ürün Adı=title|Fiyat=price|Stok=stock",
    "Komisyon Oranı-",
  ),
  setOf(
    "a listing's upload form",
    "Ürün Adı=title|Satıcı Stok Kodu=product_code|Barkod-|Marka=brand|Kategori=category|Desi-|KDV-",
    "Garanti Süresi (Ay)=warranty_period",
    images(5, "Görsel"),
  ),
  setOf(
    "a listing with three codes",
    "Kategori ID#|Grup Kodu|Ürün Kodu#|Mağaza Ürün Kodu=product_code|Mağaza Stok Kodu<|Katalog ID#",
    "Barkod-|Ürün Başlığı=title|Alt Başlık=sub_title|Ürün Statüsü-|Mağaza Notu=note|Hazırlık Süresi-",
    "Stok=stock|Para Birimi=currency|Piyasa Satış Fiyatı=list_price|Satış Fiyatı=price",
    "Teslimat Şablonu İsmi=shipping_template",
  ),
  setOf(
    "an integrator's file",
    "Ana Ürün Kodu|Stok Kodu*=product_code|Ürün Adı*=title|Alt Başlık=sub_title|Stok*=stock",
    "Para Birimi*=currency|Fiyat *=price|Marka=brand|Açıklama=description|Resimler=images",
    "Kategori=category|Garanti(Ay)=warranty_period",
  ),
];
