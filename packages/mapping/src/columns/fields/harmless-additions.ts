/**
 * What may stand in a header beside its field without making it another one. Whatever is not listed
 * here changes what the column holds: a currency, a price without tax, a minimum, a language.
 */

import { VALUE_WORDS, type ValueWord } from "../../values/keywords.ts";
import { headerKey } from "../header-key.ts";
import { type FieldDefinition, type FieldKey } from "./field.ts";

/** Where an addition stands: brackets set it apart, so more words are safe in them. */
export type AdditionPlace = "brackets" | "beside";

/** Tells whether additions to the headers of one field leave it what it is. */
export interface HarmlessAdditions {
  /** `key` is the header key of all that stands in one pair of brackets, or at one end. */
  readonly isHarmless: (key: string, place: AdditionPlace) => boolean;
  /** The addition says which currency or that the tax is in it. */
  readonly isTelling: (key: string) => boolean;
}

const anyOf = (...texts: readonly string[]): readonly string[] => texts.map(escapeKey);

const escapeKey = (text: string): string =>
  headerKey(text).replaceAll(/[$^+?.*|(){}[\]\\]/gu, String.raw`\$&`);

/** Says how a cell is filled in, never what it holds. */
const ANYWHERE: readonly string[] = [
  ...anyOf("zorunlu", "zorunlu alan", "zorunludur", "gerekli", "required", "mandatory", "#"),
  ...anyOf("opsiyonel", "isteğe bağlı", "optional", "örnek", "example"),
  String.raw`(?:max|maks|maksimum|enfazla|encok|azami)\d+(?:karakter|hane|harf|characters?|chars?)`,
];

const RATE = String.raw`(?:%?\d{1,2}%?)?`;

/** The currency that prices have anyway, and the tax that they include anyway. */
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

/** Words that may stand at either place, by field. */
const BESIDE: Readonly<Partial<Record<FieldKey, readonly string[]>>> = {
  price: MONEY,
  list_price: MONEY,
  discount_value: MONEY,
  stock: PIECES,
  warranty_period: MONTHS,
  image_1: [...ADDRESS, ...anyOf("ana", "kapak", "main")],
};

/** Words that count in brackets only, by field. */
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

/** What a picture is made of, not what it shows. */
const IMAGE_SIZE = String.raw`\d{2,5}x\d{2,5}(?:px|piksel)?|jpe?g|png`;

const LISTED_WORDS: Readonly<Partial<Record<FieldKey, readonly ValueWord<unknown>[]>>> = {
  ...VALUE_WORDS,
  custom_order: VALUE_WORDS.yes_no,
};

/** A longer addition is a sentence, and a pattern of repeated words must not be given one. */
const MAX_LENGTH = 60;

const TELLING = new RegExp(`^(?:${MONEY.join("|")})+$`, "u");

/** For the headers of one field, of which `isRate` states that its values are percents. */
export function createHarmlessAdditions(
  field: FieldDefinition,
  { isRate }: { readonly isRate: boolean },
): HarmlessAdditions {
  const { key, kind } = field;
  const rate = isRate ? anyOf("%", "yüzde", "percent", "1-99") : [];
  const image = kind === "image" ? [...ADDRESS, IMAGE_SIZE] : [];
  const beside = isRate ? rate : [...(BESIDE[key] ?? []), ...image];
  // A cell of the field may hold these, so a header lists them as what may be chosen.
  const listed = (LISTED_WORDS[key] ?? []).flatMap(({ tr, en, also }) => anyOf(tr, en, ...also));
  // Another known header of the same field says the same in other words or another language.
  const same = [field.key, field.header.tr, field.header.en].concat(
    field.aliases.filter(({ doubt }) => doubt === undefined).map(({ text }) => text),
  );
  const brackets = [...ANYWHERE, ...beside, ...(IN_BRACKETS[key] ?? []), ...listed];
  const patterns = {
    beside: beside.length === 0 ? undefined : oneOrMore(beside),
    brackets: oneOrMore([...brackets, ...anyOf(...same)]),
  };
  return {
    isHarmless: (text, place) =>
      text === "" || (text.length <= MAX_LENGTH && (patterns[place]?.test(text) ?? false)),
    isTelling: (text) => text.length <= MAX_LENGTH && TELLING.test(text),
  };
}

const oneOrMore = (alternatives: readonly string[]): RegExp =>
  new RegExp(`^(?:${alternatives.join("|")})+$`, "u");
