import type { Lang } from "@catalog/i18n";

import { headerKey } from "../header-key.ts";
import { DELIVERY_FIELDS } from "./delivery-fields.ts";
import type { FieldDefinition, FieldKey } from "./field.ts";
import { PRICE_FIELDS } from "./price-fields.ts";
import { PRODUCT_FIELDS } from "./product-fields.ts";

/** Every column that is read, in the order in which templates and exports write them. */
export const FIELDS: readonly FieldDefinition[] = [
  ...PRODUCT_FIELDS,
  ...PRICE_FIELDS,
  ...DELIVERY_FIELDS,
];

const BY_KEY: ReadonlyMap<string, FieldDefinition> = new Map(
  FIELDS.map((field) => [field.key, field]),
);

/** The field with this machine name; `undefined` where there is none. */
export function findField(key: string): FieldDefinition | undefined {
  return BY_KEY.get(key);
}

const BY_HEADER: ReadonlyMap<string, FieldDefinition> = new Map(
  FIELDS.flatMap((field) =>
    [field.header.en, field.header.tr].map((header) => [headerKey(header), field] as const),
  ),
);

/**
 * The field that a person names: by its machine name, or by its header in either language, in any
 * case and with or without the star; `undefined` where there is none.
 */
export function findNamedField(name: string): FieldDefinition | undefined {
  return findField(name) ?? BY_HEADER.get(headerKey(name));
}

/** The field of a known machine name. */
export function getField(key: FieldKey): FieldDefinition {
  const field = BY_KEY.get(key);
  if (field === undefined) throw new RangeError(`no field is named "${key}"`);
  return field;
}

/**
 * The header as templates and exports write it, with a star when a new product requires the field.
 */
export function formatHeader(field: FieldDefinition, language: Lang): string {
  return field.requiredForAdd ? `${field.header[language]} *` : field.header[language];
}
