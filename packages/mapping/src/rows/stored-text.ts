/** Points an issue at the stored rule or default value that has given the text of its cell. */

import { quoteText } from "@catalog/i18n";

import { PLACEHOLDER } from "../columns/placeholder.ts";
import type { TextKey } from "../issues/codes.ts";
import type { Problem } from "../issues/issue.ts";
import { findNearestName } from "../names/nearest-name.ts";
import { ruleFieldName } from "../names/value-rules.ts";
import type { Cell } from "./layout.ts";

const OF_DEFAULTS: ReadonlyMap<TextKey, TextKey> = new Map([
  ["E_MODEL_AMBIGUOUS", "E_MODEL_AMBIGUOUS.default"],
  ["E_TEMPLATE_AMBIGUOUS", "E_TEMPLATE_AMBIGUOUS.default"],
  ["E_TEMPLATE_UNKNOWN", "E_TEMPLATE_UNKNOWN.default"],
]);

/** The problem of a stored text that names nothing; another problem is returned unchanged. */
export function blameStoredText(problem: Problem, cell: Cell): Problem {
  if (problem.choices === undefined) return problem;
  const { isRuled, isDefault = false, text, field, location } = cell;
  const name = ruleFieldName(field);
  if (isRuled) {
    const params = { target: text, field: name };
    return { text: "E_RULE_TARGET", params, value: location.value };
  }
  const ofDefault = isDefault ? OF_DEFAULTS.get(problem.text) : undefined;
  if (ofDefault === undefined) return problem;
  const nearest = findNearestName(text, problem.choices, { isPath: false }) ?? PLACEHOLDER;
  const words = (header: string): string => `${quoteText(header)} ${quoteText(nearest)}`;
  const command = { tr: words(name.tr), en: words(name.en) };
  return { text: ofDefault, params: { ...problem.params, field: name, command } };
}
