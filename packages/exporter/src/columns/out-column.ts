/**
 * A column of an exported table: its header and its cells, in words for people and the
 * marketplace's own for programs; names and texts of people can be masked.
 */

import type { Lang, Localized } from "@catalog/i18n";
import { formatReadOnlyHeader } from "@catalog/mapping";
import type { OutCell, StreamColumn } from "@catalog/sheets";

import type { MomentFormat } from "../timestamps.ts";

/** `Ayşe Yılmaz` is `A*** Y***`; a name that is masked already stays as it is. */
export function maskName(name: string): string {
  return name
    .split(/\s+/u)
    .filter((word) => word !== "")
    .map((word) => `${firstLetter(word)}***`)
    .join(" ");
}

const firstLetter = (word: string): string => String.fromCodePoint(word.codePointAt(0) ?? 0);

/** Replaces a text by a mark, so that only its presence is visible. */
export const maskWords = (text: string): string => (text.trim() === "" ? "" : "***");

/** Style of a table. */
export interface TableStyle {
  readonly lang: Lang;
  /**
   * Values and headers in the marketplace's own words, for programs, instead of words for people.
   */
  readonly isForPrograms: boolean;
  /** How a `moment` column writes its times. */
  readonly moments: MomentFormat;
  /** Longest text that a cell of the file can hold. */
  readonly maxChars: number;
}

/** The columns in the order of a workbook for people. */
export const toReadingOrder = <Item>(
  columns: readonly OutColumn<Item>[],
): readonly OutColumn<Item>[] => [
  ...columns.filter(({ place }) => place === "first"),
  ...columns.filter(({ place }) => place === undefined),
  ...columns.filter(({ place }) => place === "last"),
];

export interface OutColumn<Item> {
  /** Name of the column in `--columns` and in JSON lines. */
  readonly key: string;
  readonly header: Localized;
  /** @default "text" */
  readonly kind?: StreamColumn["kind"];
  /** In characters, in a workbook, for a column that people fill in. @default by its cells */
  readonly width?: number;
  /** What the column is, where its header does not say it all. */
  readonly help?: Localized;
  /** Whether its number is money in whole currency. @default that of all is, if `kind` is "price" */
  readonly isMoney?: (item: Item) => boolean;
  /** An amount whose unit the marketplace does not state. @default false */
  readonly isAmount?: boolean;
  /** Whether it stays empty because the unit of prices is not known. @default false */
  readonly lacksUnit?: boolean;
  /** In a workbook, it stands first and stays visible, or it stands last. @default between */
  readonly place?: "first" | "last";
  /** No import maps it; its header says so. @default false */
  readonly isReadOnly?: boolean;
  /** The words that its cells take in a workbook, offered in a list. @default any, none offered */
  readonly choices?: readonly Localized[];
  /** Words that its cells offer in a workbook, while any other may be typed. @default none */
  readonly suggestions?: readonly string[];
  /** The key that it had before, which `--columns` still takes. */
  readonly formerKey?: string;
  readonly cell: (item: Item, style: TableStyle) => OutCell;
}

/** The header as it stands in the file. */
export function headerOf<Item>(column: OutColumn<Item>, lang: Lang): string {
  const header = column.header[lang];
  return column.isReadOnly === true ? formatReadOnlyHeader(header, lang) : header;
}

/**
 * Converts a value of an answer to a cell: numbers stay numbers, and a value that is not plain
 * becomes text.
 */
export function toCell(value: unknown): OutCell {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return JSON.stringify(value);
}

const DECIMAL = /^-?(?:0|[1-9]\d{0,12})(?:\.\d{1,4})?$/u;

/** Converts an amount that the marketplace writes as text to a number. */
export function toAmount(value: unknown): OutCell {
  return typeof value === "string" && DECIMAL.test(value) ? Number(value) : toCell(value);
}

/** The word for a value of a closed list; an unknown value stays as it is. */
export function toWord(
  words: readonly (Localized & { readonly value: unknown })[],
  value: unknown,
  { lang, isForPrograms }: TableStyle,
): OutCell {
  const word = words.find((each) => each.value === value);
  return word === undefined || isForPrograms ? toCell(value) : word[lang];
}

/** A field of a value that the specification does not describe; `undefined` where it has none. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

interface Word extends Localized {
  readonly value: string;
}

const word = (value: string, tr: string, en: string): Word => ({ value, tr, en });

/** Where a comment was written. */
export const COMMENT_TYPES: readonly Word[] = [
  word("product_details", "Ürün sayfası", "Product page"),
  word("order", "Sipariş", "Order"),
];

/** States of comments. */
export const RECORD_STATUSES: readonly Word[] = [
  word("approved", "Onaylı", "Approved"),
  word("passive", "Pasif", "Passive"),
  word("veto", "Veto", "Veto"),
];

/** What a question is about, and what an entry of the listing is. */
export const SUBJECTS: readonly Word[] = [
  word("product", "Ürün", "Product"),
  word("store", "Mağaza", "Store"),
];

/** Whether an earlier export has given a row. */
export const CHANGES: readonly Word[] = [
  word("new", "Yeni", "New"),
  word("changed", "Değişti", "Changed"),
];

/** The unit of the amounts in a row. */
export const AMOUNT_UNITS: readonly Word[] = [
  { value: "major", tr: "ana birim (TL, USD, EUR)", en: "major (TL, USD, EUR)" },
  { value: "unknown", tr: "bilinmiyor", en: "unknown" },
];

/** Explains a masked name. */
export const MASKED_NAME: Localized = {
  tr: "Kişisel veridir; yalnızca baş harfler yazılır. Tamamı için: --with-names",
  en: "Personal data; only initials are written. In full: --with-names",
};

/** Explains a hidden e-mail or postal address. */
export const HIDDEN_CONTACT: Localized = {
  tr: "Kişisel veridir; yerine *** yazılır. Tamamı için: --with-contact",
  en: "Personal data; *** stands for it. In full: --with-contact",
};
