import { ruleKey, type ValueRules } from "@catalog/mapping";
import { type Rule, type RuleBook } from "@catalog/store";

/** The rules of a store while one file is planned. */
export interface RulesInUse extends ValueRules {
  /** Rules that some cell has met so far. */
  readonly used: ReadonlySet<Rule>;
  /** Writes a rule down, for this file and every later one. */
  add(rule: Omit<Rule, "key">): Promise<void>;
}

/** Reads the rules of a store. */
export async function loadRules(book: RuleBook): Promise<RulesInUse> {
  const known = new Map((await book.list()).map((rule) => [rule.key, rule]));
  // Most files meet no rule at all, and the key of a text costs more than this look.
  const fields = new Set([...known.values()].map(({ field }) => fieldOf(field)));
  const used = new Set<Rule>();
  return {
    used,
    find(field, text) {
      if (!fields.has(fieldOf(field))) return undefined;
      const rule = known.get(ruleKey(field, text));
      if (rule === undefined) return undefined;
      used.add(rule);
      return rule.targetId ?? rule.target;
    },
    async add(rule) {
      const whole = { ...rule, key: ruleKey(rule.field, rule.value) };
      await book.save([whole]);
      known.set(whole.key, whole);
      fields.add(fieldOf(whole.field));
    },
  };
}

/** Properties are told apart by the key; which of them it is does not matter here. */
const fieldOf = (field: string): string => (field.startsWith("property:") ? "property" : field);
