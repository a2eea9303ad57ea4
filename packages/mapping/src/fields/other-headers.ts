/**
 * Known headers and words that are no field by themselves: additions, other currencies and prices,
 * trade lists, columns that are never sent or that this program's results add.
 */

import type { Lang, Localized } from "@catalog/i18n";

import { headerKey, headerTokens, headerWords, splitHeader } from "../text-keys.ts";
import { VALUE_KEYWORDS } from "../values/keywords.ts";
import type { Column, HeaderMatch, FieldDefinition, FieldKey, FieldTarget } from "./fields.ts";

/** Where an addition stands: more words are harmless in brackets than beside the field's name. */
type AdditionPosition = "brackets" | "beside";

/** Decides whether additions to the headers of one field are harmless. */
export interface HarmlessAdditions {
  /** `key` is the header key of the whole text in one pair of brackets, or at one end. */
  readonly isHarmless: (key: string, position: AdditionPosition) => boolean;
  /** Whether the addition names the currency or says that tax is included. */
  readonly isTelling: (key: string) => boolean;
}

const anyOf = (...texts: readonly string[]): readonly string[] => texts.map(escapeKey);

const escapeKey = (text: string): string =>
  headerKey(text).replaceAll(/[$^+?.*|(){}[\]\\]/gu, String.raw`\$&`);

/** Additions that say how a cell is filled in, not what it holds. */
const ANYWHERE: readonly string[] = [
  ...anyOf("zorunlu", "zorunlu alan", "zorunludur", "gerekli", "required", "mandatory", "#"),
  ...anyOf("opsiyonel", "isteğe bağlı", "optional", "örnek", "example"),
  String.raw`(?:max|maks|maksimum|enfazla|encok|azami)\d+(?:karakter|hane|harf|characters?|chars?)`,
];

const RATE = String.raw`(?:%?\d{1,2}%?)?`;

/** The default currency of prices, and the tax that they include in any case. */
const MONEY: readonly string[] = [
  ...anyOf("TL", "TRY", "₺", "Türk Lirası"),
  String.raw`${RATE}(?:kdv|vergi|vergiler)${RATE}(?:dahil|dahildir|li)`,
  String.raw`(?:incl|inc|including|included|with)${RATE}(?:vat|kdv|tax|taxes)${RATE}`,
  String.raw`${RATE}(?:vat|kdv|tax|taxes)${RATE}(?:incl|inc|included|inclusive)`,
];

const ADDRESS = anyOf("URL", "link", "linki", "adres", "adresi", "http", "https");
const LANGUAGE = anyOf("TR", "Türkçe", "Turkish");
const MONTHS = anyOf("Ay", "Ay olarak", "aylık", "months", "month", "in months");
const PIECES = anyOf("adet", "adedi", "pcs", "pieces", "piece", "units", "unit");
const NAME_OR_ID = anyOf("ID", "adı", "ismi", "isim", "ad", "name", "yol", "yolu", "path");

/** Additions that are harmless at either place, by field. */
const BESIDE: Readonly<Partial<Record<FieldKey, readonly string[]>>> = {
  price: MONEY,
  list_price: MONEY,
  discount_value: MONEY,
  stock: PIECES,
  warranty_period: MONTHS,
  image_1: [...ADDRESS, ...anyOf("ana", "kapak", "main")],
};

/** Additions that are harmless in brackets only, by field. */
const IN_BRACKETS: Readonly<Partial<Record<FieldKey, readonly string[]>>> = {
  price: anyOf("satış"),
  product_code: anyOf("benzersiz", "tekil", "unique", "metin", "text"),
  title: LANGUAGE,
  sub_title: LANGUAGE,
  description: [...LANGUAGE, ...anyOf("HTML")],
  category: NAME_OR_ID,
  brand: NAME_OR_ID,
  brand_model: NAME_OR_ID,
  shipping_template: NAME_OR_ID,
  image_1: anyOf("ana görsel", "kapak görseli", "main image"),
};

/** Size and format of an image, which do not change the field. */
const IMAGE_SIZE = String.raw`\d{2,5}x\d{2,5}(?:px|piksel)?|jpe?g|png`;

/**
 * A longer addition is a sentence; the limit also bounds the work of the patterns with repetitions.
 */
const MAX_LENGTH = 60;

const TELLING = new RegExp(`^(?:${MONEY.join("|")})+$`, "u");

/** Makes the additions of one field; `isRate` states that its values are percentages. */
export function createHarmlessAdditions(
  field: FieldDefinition,
  { isRate }: { readonly isRate: boolean },
): HarmlessAdditions {
  const { key, kind, keywords = [] } = field;
  const rate = isRate ? anyOf("%", "yüzde", "percent", "1-99") : [];
  const image = kind === "image" ? [...ADDRESS, IMAGE_SIZE] : [];
  const beside = isRate ? rate : [...(BESIDE[key] ?? []), ...image];
  // A header may list the keywords of its cells as choices.
  const listed = keywords.flatMap(({ tr, en, also }) => anyOf(tr, en, ...also));
  // The field's other known headers say the same in other words or in another language.
  const same = [field.key, field.header.tr, field.header.en].concat(
    field.aliases.filter(({ doubt }) => doubt === undefined).map(({ text }) => text),
  );
  const brackets = [...ANYWHERE, ...beside, ...(IN_BRACKETS[key] ?? []), ...listed];
  const patterns = {
    beside: beside.length === 0 ? undefined : oneOrMore(beside),
    brackets: oneOrMore([...brackets, ...anyOf(...same)]),
  };
  return {
    isHarmless: (text, position) =>
      text === "" || (text.length <= MAX_LENGTH && (patterns[position]?.test(text) ?? false)),
    isTelling: (text) => text.length <= MAX_LENGTH && TELLING.test(text),
  };
}

const oneOrMore = (alternatives: readonly string[]): RegExp =>
  new RegExp(`^(?:${alternatives.join("|")})+$`, "u");

/** Headers that occur only in price lists and orders of suppliers. */
const MARKS: ReadonlySet<string> = new Set(
  "Birim Fiyat|Birim Fiyatı|Adet Fiyatı|Unit Price|Bayi Fiyatı|Bayi Fiyat|Dealer Price|Net Fiyat|Net Fiyatı|Net Price|İskonto|İskonto Oranı|Tutar|Toplam Tutar|Net Tutar|Amount|Line Total|MOQ"
    .split("|")
    .map((header) => headerKey(header)),
);

/** Keeps headers in doubt only in a supplier's list; in any other file they are certain. */
export function resolveTradeHeaders(
  matches: readonly HeaderMatch[],
  headers: readonly string[],
): readonly HeaderMatch[] {
  const isTradeList = headers.some((header) => MARKS.has(headerKey(splitHeader(header).rest)));
  return matches.map((match) => {
    const { doubt } = match;
    if (doubt?.kind !== "trade-list") return match;
    if (!isTradeList) return { ...match, doubt: undefined };
    const suggestion = doubt.target.field;
    return { ...match, target: { kind: "unknown", suggestion }, doubt };
  });
}

/** A currency that the marketplace takes, or `other`. */
export type NamedCurrency = "TL" | "USD" | "EUR" | "other";

/** Spellings of other programs, in addition to the keywords that cells may hold. */
const ALSO: Readonly<Record<NamedCurrency, readonly string[]>> = {
  TL: ["YTL", "TRL", "TL ₺", "₺ TL", "Turkish Lira"],
  USD: ["US Dollar", "ABD Doları", "Amerikan Doları", "USD $", "$ USD", "Dollars"],
  EUR: ["EUR €", "€ EUR", "Euros"],
  other:
    "GBP £ Sterlin Pound CHF JPY ¥ RUB ₽ CNY AZN SAR AED KWD QAR BGN RON SEK NOK DKK CAD AUD PLN".split(
      " ",
    ),
};

const CURRENCIES: ReadonlyMap<string, NamedCurrency> = new Map<string, NamedCurrency>([
  ...VALUE_KEYWORDS.currency.flatMap(({ value, tr, en, also }) =>
    [tr, en, ...also].map((text) => [headerKey(text), value] as const),
  ),
  ...(["TL", "USD", "EUR", "other"] as const).flatMap((currency) =>
    ALSO[currency].map((text) => [headerKey(text), currency] as const),
  ),
]);

/** The currency that a text consists of; `undefined` for any other text. */
export function findCurrency(text: string): NamedCurrency | undefined {
  return CURRENCIES.get(headerKey(text));
}

/** The currency that a header mentions among other words; `undefined` where there is none. */
export function findCurrencyInHeader(header: string): NamedCurrency | undefined {
  for (const token of headerTokens(header)) {
    const currency = findCurrency(token);
    if (currency !== undefined) return currency;
  }
  return undefined;
}

// Headers of a second price that buyers may pay. Beside such a column the other price is the one
// without the sale, or for dealers.
const PRICE = /fiyat|fyt|price|^psf$/u;

const ON_SALE =
  /indirim|kampanya|promo|special|(?<!whole)sale|discount|campaign|offer|deal(?!er)|sepet|firsat|flash|outlet|clearance|reduced|markdown/u;

const IN_RETAIL = /perakende|retail|^psf$/u;

/** Headers that mention a sale but hold no price, or a price that no buyer pays. */
const OTHER_THINGS =
  /tarih|date|basla|bitis|start|until|from|expir|end$|(?:price|fiyati?|fyt)to$|validto|oran|rate|percent|yuzde|%|tur[iu]$|tipi?$|type|currency|parabirim|doviz|adet|limit|^min|^ma[kx]|minimum|maksimum|maximum|(?<!kampany)alis|satinalma|tedarik|maliyet|purchase|buying|supplier|cost|toptan|bayi|wholesale|dealer|recommended|tavsiye|piyasa|eski|kodu?$|aciklama|label|url|link|komisyon/u;

/** The target of such a column if a person confirms it; `undefined` for all other headers. */
export function findPriceRival(header: string): FieldTarget | undefined {
  const key = headerKey(header);
  if (!PRICE.test(key) || OTHER_THINGS.test(key)) return undefined;
  if (ON_SALE.test(key)) return { kind: "field", field: "discount_value", discountType: 3 };
  return IN_RETAIL.test(key) ? { kind: "field", field: "price" } : undefined;
}

const toHeaders = (list: string): readonly string[] => list.split(";");

/** Headers of what the seller pays for a product. */
const COST_HEADERS = toHeaders(
  "Alış;Alış Fiyatı;Alış Fiyat;Geliş Fiyatı;Maliyet;Maliyet Fiyatı;Birim Maliyet;Cost;Cost Price;Unit Cost;Purchase Price;Buying Price;Cost per item;Cost of goods",
);

/** Headers of other panels and of exports that no call takes. The user is informed once per file. */
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
  ...COST_HEADERS,
  ...toHeaders("Barkod No;Barkodu;Barcode Number;EAN Code;EAN13;EAN-13;UPC;Tax Rate"),
  ...toHeaders("Vergi Oranı;KDV Yüzdesi;GTİP;HS Code;Product URL;Ürün Linki;Created At;Updated At"),
  ...toHeaders("Oluşturma Tarihi;Güncelleme Tarihi;Meta Title;Meta Description;Meta Keywords"),
  ...toHeaders("SEO Title;SEO Description;Slug;Kritik Stok;Min Stok;Sort Order"),
];

const COSTS: ReadonlySet<string> = new Set(COST_HEADERS.map((header) => headerKey(header)));

/** The columns of what the products of a file cost their seller. */
export function findCostColumns(columns: readonly Column[]): readonly Column[] {
  return columns.filter(
    ({ header, target }) =>
      target.kind === "never-sent" &&
      (target.holds === "cost" || COSTS.has(headerKey(splitHeader(header).rest))),
  );
}

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
