/** A column of an exported table: what it is called and what stands in it. */

import { type Lang, type Localized } from "@catalog/i18n";
import { formatReadOnlyHeader } from "@catalog/mapping";
import { type OutCell, type StreamColumn } from "@catalog/sheets";

/** How a table is to look. */
export interface TableStyle {
  readonly lang: Lang;
  /** Programs get the marketplace's own words, people ours. */
  readonly isForPrograms: boolean;
  /** Longest text that a cell of the file takes. */
  readonly maxChars: number;
}

export interface OutColumn<Item> {
  /** Names it in `--columns` and in JSON lines. */
  readonly key: string;
  readonly header: Localized;
  /** @default "text" */
  readonly kind?: StreamColumn["kind"];
  readonly width?: number;
  /** No import reads it back; its header says so. @default false */
  readonly isReadOnly?: boolean;
  readonly cell: (item: Item, style: TableStyle) => OutCell;
}

/** The header as it stands in the file. */
export function headerOf<Item>(column: OutColumn<Item>, lang: Lang): string {
  const header = column.header[lang];
  return column.isReadOnly === true ? formatReadOnlyHeader(header, lang) : header;
}

/** A value of an answer as a cell: numbers stay numbers, and whatever is not plain becomes text. */
export function toCell(value: unknown): OutCell {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return JSON.stringify(value);
}

const DECIMAL = /^-?(?:0|[1-9]\d{0,12})(?:\.\d{1,4})?$/u;

/** An amount that the marketplace writes as a text is a number in the file. */
export function toAmount(value: unknown): OutCell {
  return typeof value === "string" && DECIMAL.test(value) ? Number(value) : toCell(value);
}

/** The word for a value of a closed list; a value that is not in it stays as it is. */
export function toWord(
  words: readonly (Localized & { readonly value: unknown })[],
  value: unknown,
  { lang, isForPrograms }: TableStyle,
): OutCell {
  const word = words.find((each) => each.value === value);
  return word === undefined || isForPrograms ? toCell(value) : word[lang];
}

/** A field of a value that the specification does not describe. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
