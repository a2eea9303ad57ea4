import { trimText } from "../fold.ts";
import {
  ADDITION_RANK,
  type FieldAlias,
  type FieldDefinition,
  type FieldKey,
  type FieldTarget,
  type HeaderDoubt,
  RANK,
} from "./fields/field.ts";
import { FIELDS } from "./fields/fields.ts";
import { createHarmlessAdditions, type HarmlessAdditions } from "./fields/harmless-additions.ts";
import { isReadOnlyHeader, NEVER_SENT, OWN_RESULT } from "./fields/other-headers.ts";
import { findPriceRival } from "./fields/rival-price-headers.ts";
import { headerKey, headerTokens, headerWords, splitHeader } from "./header-key.ts";
import { suggestField } from "./suggest-field.ts";

/** What a column is for. */
export type ColumnTarget =
  | FieldTarget
  | { readonly kind: "property"; readonly name: string }
  | { readonly kind: "never-sent" }
  | { readonly kind: "own-result" }
  /** Holds the ids of another system. */
  | { readonly kind: "other-id" }
  /** Left out by a person, refused, or beaten by a column of lower rank. */
  | { readonly kind: "unused" }
  | { readonly kind: "unknown"; readonly suggestion?: FieldKey };

/** The likely target of a column; a lower rank is more certain (see `RANK`). */
export interface HeaderMatch {
  readonly target: ColumnTarget;
  readonly rank: number;
  /** @default no question is asked */
  readonly doubt?: MatchDoubt | undefined;
  /** Whether it is a header or key that this program writes, word for word. @default false */
  readonly isOwn?: boolean | undefined;
  /**
   * Whether the header names the currency of its prices or says that tax is included. @default
   * false
   */
  readonly isTelling?: boolean | undefined;
  /** Whether it is one of several columns that may make up the field together. @default false */
  readonly isPart?: boolean | undefined;
  /** Whether the header is that of the suggested field with an addition. @default false */
  readonly isVariant?: boolean | undefined;
}

/** A column about which a person may have to be asked, and its target if the person confirms it. */
export interface MatchDoubt {
  /**
   * `rival`: asked even beside a column of lower rank, because it changes the meaning of that one.
   */
  readonly kind: HeaderDoubt | "rival";
  readonly target: FieldTarget;
  /** Header of the column whose cells raise the doubt. @default the header itself does */
  readonly because?: string | undefined;
}

/** Finds the meaning of a header. */
export interface HeaderMatcher {
  match(header: string): HeaderMatch;
  /** As `match`, without the search for a similar header, which takes longer. */
  find(header: string): HeaderMatch | undefined;
}

const PROPERTY = /^(?:property|özellik|ozellik)\s*:\s*(\S.*)$/iu;

/** Maximum number of tokens of a header; a longer one is a sentence and is not searched. */
const MAX_TOKENS = 12;

/** Makes a matcher over all fields, their aliases and the other known headers. */
export function createHeaderMatcher(): HeaderMatcher {
  const known = new Map<string, HeaderMatch>();
  const hints = new Map<string, FieldKey>();
  for (const field of FIELDS) addField(field, known, hints);
  for (const header of NEVER_SENT) addOther(header, { kind: "never-sent" }, known);
  for (const header of OWN_RESULT) addOther(header, { kind: "own-result" }, known);
  const additionsOf = createAdditions();

  const matcher: HeaderMatcher = {
    match: (header) => matcher.find(header) ?? matchNothing(header, known),
    find(header) {
      if (isReadOnlyHeader(header)) return { target: { kind: "own-result" }, rank: RANK.header };
      const property = propertyName(header);
      if (property !== undefined) {
        return { target: { kind: "property", name: property }, rank: RANK.header };
      }
      const exact = known.get(headerKey(header));
      if (exact !== undefined) return { ...exact, isOwn: isOwnText(header) };
      const hint = hints.get(headerKey(header));
      if (hint !== undefined) return unknown(hint);
      return matchWithAdditions(header, known, additionsOf);
    },
  };
  return matcher;
}

/** The name in a header such as `Özellik: Renk`; `undefined` for any other header. */
export function propertyName(header: string): string | undefined {
  const name = PROPERTY.exec(trimText(header))?.[1];
  return name === undefined ? undefined : trimText(name.replace(/\*\s*$/u, ""));
}

const unknown = (suggestion: FieldKey | undefined): HeaderMatch => ({
  target: suggestion === undefined ? { kind: "unknown" } : { kind: "unknown", suggestion },
  rank: RANK.alias,
});

function addField(
  field: FieldDefinition,
  known: Map<string, HeaderMatch>,
  hints: Map<string, FieldKey>,
): void {
  const { key, header, suggestOnly } = field;
  for (const alias of field.aliases) known.set(headerKey(alias.text), matchAlias(key, alias));
  for (const text of [key, header.tr, header.en]) {
    known.set(headerKey(text), { target: { kind: "field", field: key }, rank: RANK.header });
  }
  for (const text of suggestOnly) hints.set(headerKey(text), key);
}

function matchAlias(field: FieldKey, { rank, discountType, doubt }: FieldAlias): HeaderMatch {
  const extra = discountType === undefined ? {} : { discountType };
  const target: FieldTarget = { kind: "field", field, ...extra };
  if (doubt === undefined) return { target, rank };
  // Such a header is only in doubt in a supplier's price list.
  if (doubt === "trade-list") return { target, rank, doubt: { kind: doubt, target } };
  return { ...unknown(field), rank, doubt: { kind: doubt, target } };
}

function addOther(header: string, target: ColumnTarget, known: Map<string, HeaderMatch>): void {
  known.set(headerKey(header), { target, rank: RANK.header });
}

const OWN_WORDS: ReadonlySet<string> = new Set(
  FIELDS.flatMap(({ key, header }) => [key, header.tr, header.en].map((text) => headerWords(text))),
);

/**
 * Other programs write `discountType` with numbers of their own, which differ from those of
 * `Discount Type`.
 */
function isOwnText(header: string): boolean {
  return OWN_WORDS.has(headerWords(splitHeader(header).rest)) || OWN_WORDS.has(headerWords(header));
}

type AdditionsOf = (target: FieldTarget) => HarmlessAdditions;

function createAdditions(): AdditionsOf {
  const made = new Map<string, HarmlessAdditions>();
  return ({ field, discountType }) => {
    const isRate = discountType === 2;
    const name = `${field} ${isRate}`;
    const definition = FIELDS.find(({ key }) => key === field);
    if (definition === undefined) throw new RangeError(`no field is named "${field}"`);
    const additions = made.get(name) ?? createHarmlessAdditions(definition, { isRate });
    made.set(name, additions);
    return additions;
  };
}

/**
 * Matches a known header that is surrounded by harmless words and brackets; the longest one wins.
 */
function matchWithAdditions(
  header: string,
  known: ReadonlyMap<string, HeaderMatch>,
  additionsOf: AdditionsOf,
): HeaderMatch | undefined {
  const { rest, groups } = splitHeader(header);
  const whole = known.get(headerKey(headerWords(rest)));
  // A header that no call takes stays so, whatever additions it has.
  if (whole?.target.kind === "never-sent") return whole;
  const inBrackets = groups.map((group) => headerKey(group));
  const tokens = headerTokens(rest);
  if (tokens.length > MAX_TOKENS) return undefined;
  for (const [from, to] of spansOf(tokens.length)) {
    const match = known.get(headerKey(tokens.slice(from, to).join(" ")));
    const target = match && fieldTarget(match);
    if (match === undefined || target === undefined) continue;
    const { isHarmless, isTelling } = additionsOf(target);
    const beside = [tokens.slice(0, from), tokens.slice(to)].map((part) =>
      headerKey(part.join("")),
    );
    if (!beside.every((key) => isHarmless(key, "beside"))) continue;
    if (!inBrackets.every((key) => isHarmless(key, "brackets"))) continue;
    return {
      ...match,
      rank: match.rank + ADDITION_RANK,
      isOwn: isOwnText(tokens.slice(from, to).join(" ")),
      isTelling: [...beside, ...inBrackets].some((key) => key !== "" && isTelling(key)),
    };
  }
  return undefined;
}

/** The field that the header means, or would mean if a person confirms it. */
function fieldTarget({ target, doubt }: HeaderMatch): FieldTarget | undefined {
  if (target.kind === "field") return target;
  return doubt?.target;
}

/** Every run of words at the beginning or the end of the header, the longest first. */
function spansOf(count: number): readonly (readonly [from: number, to: number])[] {
  const spans: (readonly [number, number])[] = [];
  for (let length = count; length > 0; length -= 1) {
    for (let from = 0; from + length <= count; from += 1) spans.push([from, from + length]);
  }
  return spans;
}

function matchNothing(header: string, known: ReadonlyMap<string, HeaderMatch>): HeaderMatch {
  const rival = findPriceRival(header);
  if (rival !== undefined)
    return { ...unknown(undefined), doubt: { kind: "rival", target: rival } };
  const fields = new Map<string, FieldKey>();
  for (const [key, match] of known) {
    const target = fieldTarget(match);
    if (target !== undefined) fields.set(key, target.field);
  }
  const { field, isVariant } = suggestField(header, fields);
  return { ...unknown(field), isVariant };
}
