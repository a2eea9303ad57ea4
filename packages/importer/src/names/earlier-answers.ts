/** What a person answered for the same category names in files of other sources. */

import { pathNameKeys, valueRules } from "@catalog/mapping";

import type { Rule } from "./value-rules.ts";

/** What a text meant before. */
export interface EarlierAnswer {
  readonly target: string;
  /** The platform whose files the answer is for; `null` for an answer for all files. */
  readonly source: string | null;
}

/** The answers of a store. */
export interface EarlierAnswers {
  /**
   * The meanings of a category's text in files of other platforms, then those of the same last name
   * below the same parent, best first. The rule for the text itself is not among them.
   */
  find(text: string): readonly EarlierAnswer[];
}

/** Indexes the rules about categories. */
export function createEarlierAnswers(
  rules: readonly Rule[],
  platform: string | undefined,
): EarlierAnswers {
  const byText = new Map<string, EarlierAnswer[]>();
  const byEnd = new Map<string, EarlierAnswer[]>();
  for (const rule of rules) {
    const { field, platform: source = null } = valueRules.splitField(rule.field);
    if (field !== "category") continue;
    const answer = { target: rule.targetId ?? rule.target, source };
    if (source !== (platform ?? null)) note(byText, valueRules.key(field, rule.value), answer);
    const end = toEnd(rule.value);
    if (end !== undefined) note(byEnd, end, answer);
  }
  return {
    find(text) {
      const end = toEnd(text);
      return [
        ...(byText.get(valueRules.key("category", text)) ?? []),
        ...(end === undefined ? [] : (byEnd.get(end) ?? [])),
      ];
    },
  };
}

function note(answers: Map<string, EarlierAnswer[]>, key: string, answer: EarlierAnswer): void {
  const known = answers.get(key);
  if (known === undefined) answers.set(key, [answer]);
  else known.push(answer);
}

/** The last name of a path with its parent; `undefined` for a name alone. */
function toEnd(text: string): string | undefined {
  const names = pathNameKeys(text);
  return names.length < 2 ? undefined : names.slice(-2).join(" > ");
}
