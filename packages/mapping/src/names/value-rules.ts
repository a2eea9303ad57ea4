/**
 * Rules by which a person says once what a text in a column means. A rule beats what the text would
 * mean by itself; its target goes through the same tiers as any other text.
 */

import { FIELDS } from "../columns/fields/fields.ts";
import { createHeaderMatcher, propertyName } from "../columns/header-matcher.ts";
import { trimText } from "../fold.ts";
import { nameKey } from "./name-key.ts";

/** The rules of a store, as a row mapper asks for them. */
export interface ValueRules {
  /** What the text means in this field (see {@link readRuleField}), or nothing. */
  find(field: string, text: string): string | undefined;
}

export const NO_RULES: ValueRules = { find: () => undefined };

const RULED_KINDS: ReadonlySet<string> = new Set(["name", "words"]);

const RULED_FIELDS: ReadonlySet<string> = new Set(
  FIELDS.filter(({ kind, key }) => RULED_KINDS.has(kind) && key !== "action").map(({ key }) => key),
);

/** Fields whose texts can be ruled, besides properties. */
export function listRuleFields(): readonly string[] {
  return [...RULED_FIELDS];
}

/**
 * The field that a person named for a rule: its key, any of its headers, or a property such as
 * `Özellik: Renk`. Nothing when texts of that field cannot be ruled.
 */
export function readRuleField(text: string): string | undefined {
  const wanted = trimText(text);
  if (RULED_FIELDS.has(wanted)) return wanted;
  const property = propertyName(wanted);
  if (property !== undefined) return propertyField(property);
  const { target } = createHeaderMatcher().match(wanted);
  return target.kind === "field" && RULED_FIELDS.has(target.field) ? target.field : undefined;
}

/** The field of a property's texts. */
export function propertyField(name: string): string {
  return `property:${trimText(name)}`;
}

/** Equal for texts that one rule covers: case, accents and spacing do not count, as in names. */
export function ruleKey(field: string, text: string): string {
  return `${nameKey(field)}\n${nameKey(text)}`;
}
