/** Values that a person has set once for new products whose file has none. */

import type { Localized } from "@catalog/i18n";

import { createIssue, type Reading } from "../issues/issue.ts";
import { createValueReaders } from "../values/value-readers.ts";
import type { FieldDefinition, FieldKey } from "./fields/field.ts";
import { FIELDS, findNamedField, getField } from "./fields/fields.ts";

/**
 * Fields that may have such a value. No other field depends on them, and a value that fits one
 * product fits others.
 */
const DEFAULT_FIELDS: ReadonlySet<FieldKey> = new Set<FieldKey>([
  "sub_title",
  "brand_model",
  "warranty_type",
  "warranty_period",
  "shipping_template",
  "condition",
]);

/** Whether a field may have a default value. */
export const takesDefault = ({ key }: Pick<FieldDefinition, "key">): boolean =>
  DEFAULT_FIELDS.has(key);

/** The fields that may have a default value, in the order of the templates. */
export const listDefaultFields = (): readonly FieldDefinition[] => FIELDS.filter(takesDefault);

/** The field that a person names, where it may have a default value. */
export function findDefaultField(name: string): FieldDefinition | undefined {
  const field = findNamedField(name);
  return field !== undefined && takesDefault(field) ? field : undefined;
}

/**
 * What is wrong with a default value, as far as it can be known without the marketplace's lists;
 * `undefined` for a value that may be right.
 */
export function findDefaultProblem(field: FieldKey, text: string): Localized | undefined {
  const reading = readKeyword(field, text);
  if (reading === undefined || reading.ok) return undefined;
  const { header } = getField(field);
  const location = { sheet: "", row: 0, column: header.tr, cell: "", value: text };
  const { message, suggestion } = createIssue(reading.problem, location);
  return {
    tr: [message.tr, suggestion?.tr].filter((part) => part !== undefined).join(" "),
    en: [message.en, suggestion?.en].filter((part) => part !== undefined).join(" "),
  };
}

function readKeyword(field: FieldKey, text: string): Reading<unknown> | undefined {
  const { warrantyType, warrantyPeriod, condition } = createValueReaders();
  if (field === "warranty_type") return warrantyType.read(text);
  if (field === "warranty_period") return warrantyPeriod.read(text);
  return field === "condition" ? condition.read(text) : undefined;
}

/** The defaults that apply to a file: a value for all its rows comes first. */
export function readDefaults(
  defaults: ReadonlyMap<string, string>,
  constants: ReadonlyMap<FieldKey, string>,
): ReadonlyMap<FieldKey, string> {
  const known = new Map<FieldKey, string>();
  for (const [name, value] of defaults) {
    const field = findDefaultField(name);
    if (field !== undefined && !constants.has(field.key)) known.set(field.key, value);
  }
  return known;
}
