import { type Lang, formatMinor } from "@catalog/i18n";
import type { CellValue, Payload } from "@catalog/runs";

/** Characters of a value that are shown; the result files hold the whole cell. */
const MAX_CHARACTERS = 60;

/** Formats a value of a field for people: prices as money, long texts cut. */
export function formatFieldValue(
  field: string,
  value: unknown,
  { payload, lang }: { readonly payload: Payload | null; readonly lang: Lang },
): string {
  if (value === undefined) return "";
  if (typeof value === "number" && isMoney(field, payload)) return formatMinor(value, lang);
  return cut(typeof value === "string" ? value : JSON.stringify(value));
}

/**
 * Whether the field holds money: a discount does unless it is a rate, which is not known where its
 * type is not sent.
 */
function isMoney(field: string, payload: Payload | null): boolean {
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
