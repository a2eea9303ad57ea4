/** Finds the rule of a row, and rules that no row can have. */

import { Big } from "big.js";

import { matchKey, PARTS, type PriceRule } from "./rule.ts";

/** What is known of a row. */
export interface RowFacts {
  /** Names or paths of its category; none where it is not known. */
  readonly categories: readonly string[];
  /** Names of its brand; none where it is not known. */
  readonly brands: readonly string[];
  /** Names of its file or feed, and of its supplier. */
  readonly suppliers: readonly string[];
  /**
   * Amount of a rule's source in minor units; `missing` where the row has none, `absent` where it
   * gives no price either, so that the rule does not concern it.
   */
  readonly amountOf: (source: string) => number | "missing" | "absent";
}

/** The rule of a row, or the first one of which it is not known whether it is. */
export type FoundRule =
  | { readonly kind: "rule"; readonly rule: PriceRule }
  | {
      readonly kind: "unknown";
      readonly rule: PriceRule;
      readonly what: "category" | "brand" | "amount";
    }
  | undefined;

/** Finds the first rule, in the order of their numbers, that holds for the row. */
export function findRule(
  rules: readonly PriceRule[],
  part: keyof typeof PARTS,
  facts: RowFacts,
): FoundRule {
  for (const rule of rules) {
    if (!PARTS[part](rule)) continue;
    const verdict = judge(rule, facts, part);
    if (verdict === true) return { kind: "rule", rule };
    if (verdict !== false) return { kind: "unknown", rule, what: verdict };
  }
  return undefined;
}

type Verdict = boolean | "category" | "brand" | "amount";

/** What does not hold decides before what is not known. */
function judge(rule: PriceRule, facts: RowFacts, part: keyof typeof PARTS): Verdict {
  const verdicts = [judgeNames(rule, facts), judgeAmount(rule, facts, part)].flat();
  if (verdicts.includes(false)) return false;
  return verdicts.find((verdict) => verdict !== true) ?? true;
}

function judgeNames(
  { category, brand, supplier }: PriceRule,
  { categories, brands, suppliers }: RowFacts,
): readonly Verdict[] {
  return [
    supplier === undefined || suppliers.some((one) => isSupplier(supplier, one)),
    brand === undefined || (isOneOf(brands, (one) => isSame(brand, one)) ?? "brand"),
    category === undefined ||
      (isOneOf(categories, (one) => isWithinPath(category, one)) ?? "category"),
  ];
}

function judgeAmount(rule: PriceRule, { amountOf }: RowFacts, part: keyof typeof PARTS): Verdict {
  const isBanded = rule.from !== undefined || rule.below !== undefined;
  if (part !== "price" && !isBanded) return true;
  const amount = amountOf(rule.source);
  if (amount === "absent") return false;
  return amount === "missing" ? "amount" : !isBanded || isWithin(amount, rule);
}

/** `undefined` where there is nothing to judge by. */
const isOneOf = (
  texts: readonly string[],
  accepts: (text: string) => boolean,
): boolean | undefined => (texts.length === 0 ? undefined : texts.some(accepts));

const isSame = (one: string, other: string): boolean => matchKey(one) === matchKey(other);

const toPath = (text: string): readonly string[] =>
  text
    .split(/[>›»]/u)
    .map(matchKey)
    .filter((part) => part !== "");

/** Whether the rule's path is part of the row's: a subcategory belongs to its category. */
function isWithinPath(rule: string, row: string): boolean {
  const [part, whole] = [toPath(rule), toPath(row)];
  return whole.some((_, start) => part.every((name, at) => whole[start + at] === name));
}

function isSupplier(pattern: string, name: string): boolean {
  const parts = matchKey(pattern)
    .split("*")
    .map((part) => part.replaceAll(/[$^+?.*|(){}[\]\\]/gu, String.raw`\$&`));
  const key = matchKey(name);
  const matcher = new RegExp(`^${parts.join(".*")}$`, "su");
  return matcher.test(key) || matcher.test(key.replace(/\.[a-z0-9]{1,5}$/u, ""));
}

const isWithin = (minor: number, { from, below }: Pick<PriceRule, "from" | "below">): boolean =>
  (from === undefined || new Big(from).times(100).lte(minor)) &&
  (below === undefined || new Big(below).times(100).gt(minor));

/** Whether some product may fit both rules. */
export function findOverlap(one: PriceRule, other: PriceRule): boolean {
  const shares = Object.values(PARTS).some((has) => has(one) && has(other));
  return shares && !isApart(one, other);
}

const differ = (one?: string, other?: string): boolean =>
  one !== undefined && other !== undefined && !isSame(one, other);

function isApart(one: PriceRule, other: PriceRule): boolean {
  if (differ(one.brand, other.brand)) return true;
  const hasPattern = `${one.supplier ?? ""}${other.supplier ?? ""}`.includes("*");
  if (differ(one.supplier, other.supplier) && !hasPattern) return true;
  if (areApartPaths(one.category, other.category)) return true;
  return one.source === other.source && (isBelow(one, other) || isBelow(other, one));
}

/** A product has one path; two names of which neither is within the other may still be one path. */
function areApartPaths(one?: string, other?: string): boolean {
  if (one === undefined || other === undefined) return false;
  return !isWithinPath(one, other) && !isWithinPath(other, one);
}

const isBelow = ({ below }: PriceRule, { from }: PriceRule): boolean =>
  below !== undefined && from !== undefined && Number(below) <= Number(from);

/** An earlier rule that holds for every product of the rule, for all that it decides. */
export function findCovering(rule: PriceRule, others: readonly PriceRule[]): PriceRule | undefined {
  const earlier = others.filter(({ number }) => number < rule.number);
  const parts = Object.values(PARTS).filter((has) => has(rule));
  const coverings = parts.map((has) => earlier.find((each) => has(each) && covers(each, rule)));
  return coverings.every((each) => each !== undefined) ? coverings[0] : undefined;
}

function covers(wide: PriceRule, narrow: PriceRule): boolean {
  const holds = (condition: "category" | "brand" | "supplier"): boolean => {
    const [one, other] = [wide[condition], narrow[condition]];
    if (one === undefined) return true;
    if (other === undefined) return false;
    if (condition === "category") return isWithinPath(one, other);
    return condition === "supplier" ? isSupplier(one, other) : isSame(one, other);
  };
  // Another source may be absent where the rule's own is not.
  if (wide.source !== narrow.source && wide.source !== "price") return false;
  const isBanded = wide.from !== undefined || wide.below !== undefined;
  if (isBanded && wide.source !== narrow.source) return false;
  return holds("category") && holds("brand") && holds("supplier") && coversBand(wide, narrow);
}

function coversBand(wide: PriceRule, narrow: PriceRule): boolean {
  const isLow = wide.from === undefined || Number(narrow.from ?? -1) >= Number(wide.from);
  const isHigh =
    wide.below === undefined || Number(narrow.below ?? Number.MAX_VALUE) <= Number(wide.below);
  return isLow && isHigh;
}
