import { formatMinor, type Lang, type Localized } from "@catalog/i18n";
import { type FieldDefinition, FIELDS, VALUE_KEYWORDS } from "@catalog/mapping";
import type { CellValue, Payload, RowRecord } from "@catalog/runs";

import { describeUnknownId, type IdNames, isIdField, isIdValue } from "./id-names.ts";

/** Characters of a value that are shown; the result files hold the whole cell. */
const MAX_CHARACTERS = 60;

/** The row that a value belongs to, and the language. */
export interface FormatOptions {
  readonly payload: Payload | null;
  readonly lang: Lang;
  /** @default none is known */
  readonly names?: IdNames | undefined;
}

/**
 * Formats a value of a field for people: prices as money, codes as words, ids as names, long texts
 * cut.
 */
export function formatFieldValue(
  field: string,
  value: unknown,
  { payload, lang, names }: FormatOptions,
): string {
  if (value === undefined) return "";
  if (typeof value === "number" && isMoney(field, payload)) return formatMinor(value, lang);
  if (isIdField(field)) return cut(nameValue(field, value, { lang, names }));
  const word = findWord(field, value);
  if (word !== undefined) return word[lang];
  if (Array.isArray(value)) return cut(value.map((one) => toText(one)).join(", "));
  return cut(toText(value));
}

function nameValue(
  field: string,
  value: unknown,
  { lang, names }: Pick<FormatOptions, "lang" | "names">,
): string {
  const name = typeof value === "string" ? names?.get(value) : undefined;
  return name ?? (isIdValue(field, value) ? describeUnknownId(value)[lang] : toText(value));
}

/** The word for a value of a field of the marketplace that takes only certain values. */
export const findWord = (field: string, value: unknown): Localized | undefined =>
  KEYWORDS.get(field)?.find((keyword) => keyword.value === value);

/** By the names of the marketplace's fields. */
const KEYWORDS: ReadonlyMap<string, NonNullable<FieldDefinition["keywords"]>> = new Map([
  ...FIELDS.flatMap(({ key, keywords }) =>
    keywords === undefined ? [] : [[key, keywords] as const],
  ),
  ["has_discount", VALUE_KEYWORDS.yes_no],
  ["product_condition", VALUE_KEYWORDS.condition],
  ["custom_order_input", VALUE_KEYWORDS.yes_no],
]);

const toText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/**
 * Whether the field holds money: a discount does unless it is a rate, which is not known where its
 * type is not sent.
 */
export function isMoney(
  field: string,
  payload: { readonly discount_type?: number | undefined } | null,
): boolean {
  const type = payload?.discount_type;
  return field === "price" || (field === "discount_value" && (type === 1 || type === 3));
}

/**
 * The payload to read the old values of a row with: the fields of a discount are sent together, so
 * that its old type is among the changes where it changes.
 */
export function payloadBefore({
  payload,
  changes,
}: Pick<RowRecord, "payload" | "changes">): Payload | null {
  const type = changes.find(({ field }) => field === "discount_type")?.old;
  return payload !== null && isDiscountType(type) ? { ...payload, discount_type: type } : payload;
}

const isDiscountType = (value: unknown): value is NonNullable<Payload["discount_type"]> =>
  value === 1 || value === 2 || value === 3;

/** Cuts the value between whole characters and marks the cut. */
export function cut(value: CellValue): string {
  const text = String(value);
  if (text.length <= MAX_CHARACTERS) return text;
  // Of a character of two halves both are shown, so that the first characters may be twice as long.
  const letters = Array.from(text.slice(0, 2 * MAX_CHARACTERS + 1));
  if (letters.length <= MAX_CHARACTERS) return text;
  return `${letters.slice(0, MAX_CHARACTERS).join("")}…`;
}
