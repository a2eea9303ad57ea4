export { makesPrice, nameRule, type PriceRule, statesFees } from "./rule.ts";
export { type RuleProblem, type RuleRow, RULE_COLUMNS, formatRules, parseRules } from "./rules.ts";
export { type FoundRule, type RowFacts, type RuleFinder, createRuleFinder } from "./find-rule.ts";
export { type RuleResult, applyPriceRule, applyStockRule, describeRule } from "./apply-rule.ts";
export { type Fees, type SaleCost, judgeSale } from "./sale-cost.ts";
