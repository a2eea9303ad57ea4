import { type Lang, formatMinor } from "@catalog/i18n";
import { VALUE_KEYWORDS } from "@catalog/mapping";
import type { CellValue, Payload } from "@catalog/runs";

/** Characters of a value that are shown; the result files hold the whole cell. */
const MAX_CHARACTERS = 60;

/** Formats a value of a field for people: prices as money, codes as words, long texts cut. */
export function formatFieldValue(
  field: string,
  value: unknown,
  { payload, lang }: { readonly payload: Payload | null; readonly lang: Lang },
): string {
  if (value === undefined) return "";
  if (typeof value === "number" && isMoney(field, payload)) return formatMinor(value, lang);
  const word = KEYWORDS_OF.get(field)?.find((keyword) => keyword.value === value);
  if (word !== undefined) return word[lang];
  if (Array.isArray(value)) return cut(value.map((one) => toText(one)).join(", "));
  return cut(toText(value));
}

const toText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

interface Keyword extends Readonly<Record<Lang, string>> {
  readonly value: unknown;
}

/** Words for the values of fields with closed lists. */
const KEYWORDS_OF: ReadonlyMap<string, readonly Keyword[]> = new Map<string, readonly Keyword[]>([
  ["warranty_type", VALUE_KEYWORDS.warranty_type],
  ["warranty_period", VALUE_KEYWORDS.warranty_period],
  ["discount_type", VALUE_KEYWORDS.discount_type],
  ["has_discount", VALUE_KEYWORDS.yes_no],
  ["condition", VALUE_KEYWORDS.condition],
]);

/**
 * Whether the field holds money: a discount does unless it is a rate, which is not known where its
 * type is not sent.
 */
export function isMoney(field: string, payload: Payload | null): boolean {
  const type = payload?.discount_type;
  return field === "price" || (field === "discount_value" && (type === 1 || type === 3));
}

/** Cuts the value between whole characters and marks the cut. */
export function cut(value: CellValue): string {
  const text = String(value);
  if (text.length <= MAX_CHARACTERS) return text;
  // Of a character of two halves both are shown, so that the first characters may be twice as long.
  const letters = Array.from(text.slice(0, 2 * MAX_CHARACTERS + 1));
  if (letters.length <= MAX_CHARACTERS) return text;
  return `${letters.slice(0, MAX_CHARACTERS).join("")}…`;
}
