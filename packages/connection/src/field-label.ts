import type { Lang } from "@catalog/i18n";
import { FIELDS, findField } from "@catalog/mapping";

/**
 * Header of the column that a field of the API comes from, or the field's own name where it has no
 * column.
 */
export function fieldLabel(name: string, lang: Lang): string {
  const field =
    findField(name) ?? FIELDS.find(({ apiFields }) => apiFields.some((one) => one === name));
  return field?.header[lang] ?? name;
}
