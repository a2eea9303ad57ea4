/**
 * Additions to a header that do not change its field. Any addition that is not listed here changes
 * it: a currency, a price without tax, a minimum, a language.
 */

import { FIELD_KEYWORDS } from "../../values/field-keywords.ts";
import { headerKey } from "../header-key.ts";
import type { FieldDefinition, FieldKey } from "./field.ts";

/** Where an addition stands: more words are harmless in brackets than beside the field's name. */
export type AdditionPosition = "brackets" | "beside";

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
  const { key, kind } = field;
  const rate = isRate ? anyOf("%", "yüzde", "percent", "1-99") : [];
  const image = kind === "image" ? [...ADDRESS, IMAGE_SIZE] : [];
  const beside = isRate ? rate : [...(BESIDE[key] ?? []), ...image];
  // A header may list the keywords of its cells as choices.
  const listed = (FIELD_KEYWORDS.get(key) ?? []).flatMap(({ tr, en, also }) =>
    anyOf(tr, en, ...also),
  );
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
