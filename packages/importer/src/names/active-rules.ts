import { ruleKey, scopeRuleField, splitRuleField, type ValueRules } from "@catalog/mapping";

import type { Rule, RuleRepository } from "./rule.ts";

/** The rules of a store while one file is planned. */
export interface ActiveRules extends ValueRules {
  /** Rules that have applied to a cell so far. */
  readonly used: ReadonlySet<Rule>;
  /** Stores a rule for this file and all later ones. */
  add(rule: Omit<Rule, "key">): Promise<void>;
}

const keyOf = ({ field, value }: Pick<Rule, "field" | "value">): string => ruleKey(field, value);

/**
 * Reads the rules of a store. What a category of a platform's file means is remembered for the files
 * of that platform, and beats a rule for all files.
 */
export async function loadActiveRules(
  rules: RuleRepository,
  platform?: string,
): Promise<ActiveRules> {
  const known = new Map((await rules.list()).map((rule) => [rule.key, rule]));
  // Most files meet no rule, and computing the key of a text costs more than this test.
  const fields = new Set([...known.values()].map(({ field }) => fieldOf(field)));
  const used = new Set<Rule>();
  return {
    used,
    find(field, text) {
      if (!fields.has(fieldOf(field))) return undefined;
      const scoped = scopeRuleField(field, platform);
      const own = scoped === field ? undefined : known.get(ruleKey(scoped, text));
      const rule = own ?? known.get(ruleKey(field, text));
      if (rule === undefined) return undefined;
      used.add(rule);
      return rule.targetId ?? rule.target;
    },
    async add(rule) {
      const scoped = { ...rule, field: scopeRuleField(rule.field, platform) };
      const whole = { ...scoped, key: keyOf(scoped) };
      await rules.save([whole]);
      known.set(whole.key, whole);
      fields.add(fieldOf(whole.field));
    },
  };
}

/** The key tells properties apart; here they count as one field. */
const fieldOf = (field: string): string =>
  field.startsWith("property:") ? "property" : splitRuleField(field).field;
