import { type Lang, formatMinor } from "@catalog/i18n";
import { type CellValue, type Payload } from "@catalog/runs";

/** What is shown of a value; the result files have all of a cell. */
const MOST_CHARACTERS = 60;

/** A value of a field for people: prices as money, long texts cut. */
export function formatFieldValue(
  field: string,
  value: unknown,
  { payload, lang }: { readonly payload: Payload | null; readonly lang: Lang },
): string {
  if (value === undefined) return "";
  if (typeof value === "number" && isMoney(field, payload)) return formatMinor(value, lang);
  return cut(typeof value === "string" ? value : JSON.stringify(value));
}

/** A discount is money unless it is a rate; where its type is not sent, nobody can tell. */
function isMoney(field: string, payload: Payload | null): boolean {
  const type = payload?.discount_type;
  return field === "price" || (field === "discount_value" && (type === 1 || type === 3));
}

/** Cut between whole characters, and said to be. */
export function cut(value: CellValue): string {
  const letters = Array.from(String(value));
  if (letters.length <= MOST_CHARACTERS) return letters.join("");
  return `${letters.slice(0, MOST_CHARACTERS).join("")}…`;
}
