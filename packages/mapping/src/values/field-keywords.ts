import type { FieldKey } from "../columns/fields/field.ts";
import { VALUE_KEYWORDS, type ValueKeyword } from "./keywords.ts";

const KEYWORDS: Readonly<Partial<Record<FieldKey, readonly ValueKeyword<unknown>[]>>> = {
  action: VALUE_KEYWORDS.action,
  currency: VALUE_KEYWORDS.currency,
  warranty_type: VALUE_KEYWORDS.warranty_type,
  warranty_period: VALUE_KEYWORDS.warranty_period,
  discount_type: VALUE_KEYWORDS.discount_type,
  condition: VALUE_KEYWORDS.condition,
  custom_order: VALUE_KEYWORDS.yes_no,
};

/** The keywords of each field that accepts no other texts, by the key of the field. */
export const FIELD_KEYWORDS: ReadonlyMap<string, readonly ValueKeyword<unknown>[]> = new Map(
  Object.entries(KEYWORDS),
);
