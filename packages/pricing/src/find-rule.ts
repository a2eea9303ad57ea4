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
export type RuleFinder = (part: keyof typeof PARTS, facts: RowFacts) => FoundRule;

/** Creates the search for the rules of rows; one serves all rows of a run. */
export function createRuleFinder(rules: readonly PriceRule[]): RuleFinder {
  const all = rules.map((rule) => ({ rule, band: toBand(rule) }));
  const named = {
    supplier: createNameSearch(rules, ({ supplier }) => supplier && supplierMatcher(supplier)),
    brand: createNameSearch(rules, ({ brand }) => brand && sameMatcher(brand)),
    category: createNameSearch(rules, ({ category }) => category && withinMatcher(category)),
  };
  const ofPart = {
    price: all.filter(({ rule }) => PARTS.price(rule)),
    stock: all.filter(({ rule }) => PARTS.stock(rule)),
    fees: all.filter(({ rule }) => PARTS.fees(rule)),
  };
  return (part, facts) => {
    const accepted = {
      supplier: named.supplier(facts.suppliers),
      brand: named.brand(facts.brands),
      category: named.category(facts.categories),
    };
    for (const { rule, band } of ofPart[part]) {
      const verdict = judge(rule, accepted, () => judgeAmount(rule, band, { part, facts }));
      if (verdict === true) return { kind: "rule", rule };
      if (verdict !== false) return { kind: "unknown", rule, what: verdict };
    }
    return undefined;
  };
}

type Verdict = boolean | "category" | "brand" | "amount";

/** The rules that accept one of a row's texts; `undefined` where there is nothing to judge by. */
type Accepted = readonly ReadonlySet<PriceRule>[] | undefined;

interface AcceptedNames {
  readonly supplier: Accepted;
  readonly brand: Accepted;
  readonly category: Accepted;
}

/** What does not hold decides before what is not known. */
function judge(rule: PriceRule, accepted: AcceptedNames, ofAmount: () => Verdict): Verdict {
  const supplier = isAccepted(rule.supplier, rule, accepted.supplier ?? []);
  const brand = isAccepted(rule.brand, rule, accepted.brand) ?? "brand";
  const category = isAccepted(rule.category, rule, accepted.category) ?? "category";
  if (supplier === false || brand === false || category === false) return false;
  const amount = ofAmount();
  if (amount === false) return false;
  const verdicts: readonly Verdict[] = [brand, category, amount];
  return verdicts.find((verdict) => verdict !== true) ?? true;
}

const isAccepted = (
  condition: string | undefined,
  rule: PriceRule,
  accepted: Accepted,
): boolean | undefined =>
  condition === undefined ? true : accepted?.some((rules) => rules.has(rule));

interface Band {
  /** In minor units. */
  readonly from: number;
  readonly below: number;
}

/** The amounts of a rule; `undefined` for all. */
const toBand = ({ from, below }: PriceRule): Band | undefined =>
  from === undefined && below === undefined
    ? undefined
    : { from: toMinor(from) ?? -Infinity, below: toMinor(below) ?? Infinity };

const toMinor = (amount: string | undefined): number | undefined =>
  amount === undefined ? undefined : new Big(amount).times(100).toNumber();

interface AskedAmount {
  readonly part: keyof typeof PARTS;
  readonly facts: Pick<RowFacts, "amountOf">;
}

function judgeAmount(
  { source }: PriceRule,
  band: Band | undefined,
  { part, facts }: AskedAmount,
): Verdict {
  if (part !== "price" && band === undefined) return true;
  const amount = facts.amountOf(source);
  if (amount === "absent") return false;
  if (amount === "missing") return "amount";
  return band === undefined || (band.from <= amount && band.below > amount);
}

type Matcher = (text: string) => boolean;

/** Texts whose rules are remembered: those of a column repeat, and others are not worth the memory. */
const MAX_TEXTS = 10_000;

/** Creates the search for the rules whose condition accepts a text. */
function createNameSearch(
  rules: readonly PriceRule[],
  toMatcher: (rule: PriceRule) => Matcher | "" | undefined,
): (texts: readonly string[]) => Accepted {
  const matchers = rules.flatMap((rule) => {
    const accepts = toMatcher(rule);
    return accepts === undefined || accepts === "" ? [] : [{ rule, accepts }];
  });
  const known = new Map<string, ReadonlySet<PriceRule>>();
  const find = (text: string): ReadonlySet<PriceRule> => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const accepting = matchers.filter(({ accepts }) => accepts(text)).map(({ rule }) => rule);
    if (known.size >= MAX_TEXTS) known.clear();
    const set = new Set(accepting);
    known.set(text, set);
    return set;
  };
  return (texts) => (texts.length === 0 ? undefined : texts.map(find));
}

function sameMatcher(one: string): Matcher {
  const key = matchKey(one);
  return (other) => matchKey(other) === key;
}

const toPath = (text: string): readonly string[] =>
  text
    .split(/[>›»]/u)
    .map(matchKey)
    .filter((part) => part !== "");

/** Whether the rule's path is part of the row's: a subcategory belongs to its category. */
function withinMatcher(rule: string): Matcher {
  const part = toPath(rule);
  return (row) => {
    const whole = toPath(row);
    return whole.some((_, start) => part.every((name, at) => whole[start + at] === name));
  };
}

function supplierMatcher(pattern: string): Matcher {
  const parts = matchKey(pattern)
    .split("*")
    .map((part) => part.replaceAll(/[$^+?.*|(){}[\]\\]/gu, String.raw`\$&`));
  const matcher = new RegExp(`^${parts.join(".*")}$`, "su");
  return (name) => {
    const key = matchKey(name);
    return matcher.test(key) || matcher.test(key.replace(/\.[a-z0-9]{1,5}$/u, ""));
  };
}

/** Whether some product may fit both rules. */
export function findOverlap(one: PriceRule, other: PriceRule): boolean {
  const shares = Object.values(PARTS).some((has) => has(one) && has(other));
  return shares && !isApart(one, other);
}

const differ = (one?: string, other?: string): boolean =>
  one !== undefined && other !== undefined && !sameMatcher(one)(other);

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
  return !withinMatcher(one)(other) && !withinMatcher(other)(one);
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
    if (condition === "category") return withinMatcher(one)(other);
    return condition === "supplier" ? supplierMatcher(one)(other) : sameMatcher(one)(other);
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
