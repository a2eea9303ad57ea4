import type { Lang, Localized } from "@catalog/i18n";
import { FIELDS, findField } from "@catalog/mapping";

/** Fields of the API that no column stands for by itself. */
const WITHOUT_COLUMN: ReadonlyMap<string, Localized> = new Map([
  ["has_discount", { tr: "İndirimli mi", en: "Discounted" }],
  ["properties", { tr: "Özellikler", en: "Properties" }],
]);

/**
 * Header of the column that a field of the API comes from, or the field's own name where it has no
 * column.
 */
export function fieldLabel(name: string, lang: Lang): string {
  const named = WITHOUT_COLUMN.get(name);
  if (named !== undefined) return named[lang];
  const field =
    findField(name) ?? FIELDS.find(({ apiFields }) => apiFields.some((one) => one === name));
  return field?.header[lang] ?? name;
}

/** The label of {@link fieldLabel} in both languages. */
export const fieldLabels = (name: string): Localized => ({
  tr: fieldLabel(name, "tr"),
  en: fieldLabel(name, "en"),
});
