/** The API's closed lists with the words that are read and written for them. */

import type {
  Currency,
  DiscountType,
  ListingStatus,
  ProductCondition,
  WarrantyPeriod,
  WarrantyType,
} from "@catalog/contract";
import type { Lang } from "@catalog/i18n";

import { accept, type Reading, refuse } from "../issues/issue.ts";
import { nameKey } from "../names/name-key.ts";

/** What a row asks for: `auto` updates a known product and adds an unknown one. */
export type RowAction = "auto" | "add" | "update" | "skip";

/** What a person asks for with a package of an order. */
type PackageAction = "accept" | "postpone" | "accept-return" | "reject-return";

/** Satisfaction of a buyer, as the comment listings filter it. */
type Satisfaction = "happy" | "unhappy" | "neutral";

/** One value with its keywords. The first keyword of a language is written; all are read. */
export interface ValueKeyword<Value> {
  readonly value: Value;
  readonly tr: string;
  readonly en: string;
  /** Further keywords that are read, in either language. */
  readonly also: readonly string[];
  /** Words that are not read; this value is only suggested for them. */
  readonly suggestOnly?: readonly string[];
}

/** The keyword lists by subject. */
interface ValueKeywords {
  readonly action: readonly ValueKeyword<RowAction>[];
  readonly currency: readonly ValueKeyword<Currency>[];
  readonly warranty_type: readonly ValueKeyword<WarrantyType>[];
  /** Period of the warranty, in months. */
  readonly warranty_period: readonly ValueKeyword<WarrantyPeriod>[];
  readonly discount_type: readonly ValueKeyword<DiscountType>[];
  readonly condition: readonly ValueKeyword<ProductCondition>[];
  readonly yes_no: readonly ValueKeyword<boolean>[];
  readonly listing_status: readonly ValueKeyword<ListingStatus>[];
  readonly satisfaction: readonly ValueKeyword<Satisfaction>[];
  readonly package_action: readonly ValueKeyword<PackageAction>[];
}

const months = (value: WarrantyPeriod, years: number): ValueKeyword<WarrantyPeriod> => ({
  value,
  tr: `${value} Ay`,
  en: `${value} months`,
  also: [
    `${value}`,
    `${value} month`,
    ...(years > 0 ? [`${years} Yıl`, `${years} Sene`, `${years} year`, `${years} years`] : []),
  ],
});

/** Keywords of the API's closed lists, in both languages. They are compared as names are. */
export const VALUE_KEYWORDS: ValueKeywords = {
  action: [
    { value: "auto", tr: "Otomatik", en: "Automatic", also: ["auto", "upsert"] },
    { value: "add", tr: "Ekle", en: "Add", also: ["create", "yeni"] },
    { value: "update", tr: "Güncelle", en: "Update", also: [] },
    { value: "skip", tr: "Atla", en: "Skip", also: ["ignore"] },
  ],
  currency: [
    { value: "TL", tr: "TL", en: "TL", also: ["TRY", "YTL", "₺", "Türk Lirası", "Lira"] },
    { value: "USD", tr: "USD", en: "USD", also: ["$", "US", "US$", "Dolar", "Dollar"] },
    { value: "EUR", tr: "EUR", en: "EUR", also: ["€", "Euro", "Avro"] },
  ],
  warranty_type: [
    { value: 1, tr: "Garantisiz", en: "None", also: ["1", "Yok", "Garanti Yok", "No warranty"] },
    {
      value: 2,
      tr: "İthalatçı Garantili",
      en: "Importer",
      also: ["2", "İthalatçı", "İthalatçı Firma Garantili"],
    },
    {
      value: 3,
      tr: "Tedarikçi Garantili",
      en: "Supplier",
      also: ["3", "Tedarikçi", "Satıcı Garantili"],
      suggestOnly: ["Distribütör", "Distribütör Garantili", "Distributor"],
    },
    {
      value: 4,
      tr: "Teknik Servis Garantili",
      en: "Technical service",
      also: ["4", "Servis", "Teknik Servis", "Yetkili Servis"],
    },
  ],
  warranty_period: [months(0, 0), months(12, 1), months(24, 2), months(36, 3)],
  discount_type: [
    { value: 1, tr: "İndirim Tutarı", en: "Amount off", also: ["1", "Tutar", "TL"] },
    {
      value: 2,
      tr: "İndirim Oranı (%)",
      en: "Percent off",
      also: ["2", "İndirim Oranı", "Oran", "Yüzde", "%"],
    },
    { value: 3, tr: "İndirimli Fiyat", en: "Discounted price", also: ["3", "Kampanyalı Fiyat"] },
  ],
  condition: [
    { value: "new", tr: "Sıfır", en: "New", also: ["Yeni"] },
    { value: "used", tr: "İkinci El", en: "Used", also: ["2. El", "Kullanılmış"] },
  ],
  yes_no: [
    { value: true, tr: "Evet", en: "Yes", also: ["E", "1", "Var", "X", "doğru", "true"] },
    { value: false, tr: "Hayır", en: "No", also: ["H", "0", "Yok", "yanlış", "false"] },
  ],
  listing_status: [
    { value: "approved", tr: "Onaylı", en: "Approved", also: [] },
    { value: "passive", tr: "Pasif", en: "Passive", also: [] },
    { value: "veto", tr: "Veto", en: "Veto", also: [] },
  ],
  satisfaction: [
    { value: "happy", tr: "Memnun", en: "Happy", also: [] },
    { value: "unhappy", tr: "Memnun Değil", en: "Unhappy", also: [] },
    { value: "neutral", tr: "Nötr", en: "Neutral", also: [] },
  ],
  package_action: [
    { value: "accept", tr: "Onayla", en: "Accept", also: ["Kabul et", "Approve"] },
    { value: "postpone", tr: "Ertele", en: "Postpone", also: ["Beklet", "Hold"] },
    {
      value: "accept-return",
      tr: "İadeyi onayla",
      en: "Accept return",
      also: ["İadeyi kabul et", "accept-return", "Accept the return"],
    },
    {
      value: "reject-return",
      tr: "İadeyi reddet",
      en: "Reject return",
      also: ["reject-return", "Reject the return"],
    },
  ],
};

/** Reads one closed list of keywords. */
export interface KeywordReader<Value> {
  /** Accepts a keyword in either language and any case, with or without accents. */
  read(text: string): Reading<Value>;
  /** The value of a keyword; `undefined` for any other text. */
  find(text: string): Value | undefined;
}

/** Maximum number of cached spellings; folding a text is the largest part of reading it. */
const MAX_REMEMBERED = 1_000;

const SIGNS = /[^\p{L}\p{N} ]/gu;

const listKeywords = (words: readonly ValueKeyword<unknown>[], language: Lang): string =>
  words.map((word) => `“${word[language]}”`).join(", ");

/** The keywords to choose from for a text that is none: all, or the one that it is a hint to. */
export function suggestKeywords<Value>(
  words: readonly ValueKeyword<Value>[],
  text: string,
): readonly ValueKeyword<Value>[] {
  const key = nameKey(text);
  const hint = words.find(({ suggestOnly = [] }) =>
    suggestOnly.some((each) => nameKey(each) === key),
  );
  return hint === undefined ? words : [hint];
}

/** Makes a reader for one list of `VALUE_KEYWORDS`. */
export function createKeywordReader<Value>(
  words: readonly ValueKeyword<Value>[],
): KeywordReader<Value> {
  const values = new Map<string, Value>();
  for (const word of words) {
    for (const text of [word.tr, word.en, ...word.also]) values.set(nameKey(text), word.value);
  }

  /**
   * A sign beside a keyword must agree with it: `USD ($)` is one currency, `-12 Ay` is no period.
   */
  const findKey = (key: string): Value | undefined => {
    const signs = key.match(SIGNS)?.join("");
    const value = values.get(key);
    if (value !== undefined || signs === undefined || signs === key) return value;
    const word = values.get(key.replaceAll(SIGNS, " ").replaceAll(/ +/gu, " ").trim());
    return word !== undefined && word === values.get(signs) ? word : undefined;
  };

  const remembered = new Map<string, Value>();
  const find = (text: string): Value | undefined => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const value = findKey(nameKey(text));
    if (value !== undefined && remembered.size < MAX_REMEMBERED) remembered.set(text, value);
    return value;
  };
  return {
    find,
    read(text) {
      const value = find(text);
      if (value !== undefined) return accept(value);
      const shown = suggestKeywords(words, text);
      const names = { tr: listKeywords(shown, "tr"), en: listKeywords(shown, "en") };
      return refuse("E_VALUE_UNKNOWN", { names });
    },
  };
}
