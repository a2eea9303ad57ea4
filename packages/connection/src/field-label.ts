import { type Lang } from "@catalog/i18n";
import { FIELDS, findField } from "@catalog/mapping";

/** The header of the column that a field of the API comes from; its own name where there is none. */
export function fieldWord(name: string, lang: Lang): string {
  const field =
    findField(name) ?? FIELDS.find(({ apiFields }) => apiFields.some((one) => one === name));
  return field?.header[lang] ?? name;
}
