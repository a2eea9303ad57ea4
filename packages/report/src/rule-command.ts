/** Writes the command that resolves a name, for a person to paste. */

import { type Lang, quoteText, quoteWord } from "@catalog/i18n";
import { findNearestName, PLACEHOLDER, ruleFieldName, splitRuleField } from "@catalog/mapping";
import type { OpenNameCount } from "@catalog/runs";

/** A name that is open, without the number of its rows. */
export type RuledName = Pick<OpenNameCount, "field" | "value" | "choices">;

/**
 * The choice that the name in the file means but for a slip; `undefined` where none is so near, or
 * several are.
 */
export function findNearestChoice({ field, value, choices }: RuledName): string | undefined {
  const isPath = splitRuleField(field).field === "category";
  return findNearestName(value, choices, { isPath });
}

/**
 * The command that resolves a name for all its rows, with the nearest choice. Where none is near, a
 * placeholder that no rule takes stands in its place. The field is named in the words of the
 * language; without one, by its key.
 */
export function ruleCommand(name: RuledName, lang?: Lang): string {
  const field = lang === undefined ? name.field : ruleFieldName(name.field)[lang];
  const target = findNearestChoice(name) ?? PLACEHOLDER;
  return ["catalog rules add", quoteWord(field), quoteText(name.value), quoteText(target)].join(
    " ",
  );
}

/** The command that lists the names of which {@link ruleCommand} named none. */
export function listCommand(name: RuledName): string | undefined {
  if (findNearestChoice(name) !== undefined) return undefined;
  const { field } = splitRuleField(name.field);
  const kind = field.startsWith("property:") ? "property" : field;
  return LISTS.get(kind);
}

const LISTS: ReadonlyMap<string, string> = new Map([
  ["category", "catalog lookup categories"],
  ["brand", `catalog lookup brands --category "${PLACEHOLDER}"`],
  ["brand_model", `catalog lookup models --category "${PLACEHOLDER}" --brand "${PLACEHOLDER}"`],
  ["property", `catalog lookup properties --category "${PLACEHOLDER}"`],
  ["shipping_template", "catalog lookup templates"],
]);
