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
  /** Left out by hand, refused, or beaten by a surer column. */
  | { readonly kind: "unused" }
  | { readonly kind: "unknown"; readonly suggestion?: FieldKey };

/** A column's likely target; a lower rank is surer (see `RANK`). */
export interface HeaderMatch {
  readonly target: ColumnTarget;
  readonly rank: number;
  /** @default nobody has to be asked */
  readonly doubt?: MatchDoubt | undefined;
  /** The header or key that we write ourselves, word for word. @default false */
  readonly isOwn?: boolean | undefined;
  /** The header says which currency its prices have or that tax is included. @default false */
  readonly isTelling?: boolean | undefined;
  /** The header is that of the suggested field but for an addition. @default false */
  readonly isVariant?: boolean | undefined;
}

/** A column about which a person may have to be asked, and what it is for if they say so. */
export interface MatchDoubt {
  /** `rival`: asked even beside a surer column, because it changes what that one means. */
  readonly kind: HeaderDoubt | "rival";
  readonly target: FieldTarget;
}

/** Tells what a header means. */
export interface HeaderMatcher {
  match(header: string): HeaderMatch;
}

const PROPERTY = /^(?:property|özellik|ozellik)\s*:\s*(\S.*)$/iu;

/** A longer header is a sentence, whose parts are not looked at. */
const MAX_TOKENS = 12;

/** Makes a matcher over all fields, their aliases and the headers known besides. */
export function createHeaderMatcher(): HeaderMatcher {
  const known = new Map<string, HeaderMatch>();
  const hints = new Map<string, FieldKey>();
  for (const field of FIELDS) addField(field, known, hints);
  for (const header of NEVER_SENT) addOther(header, { kind: "never-sent" }, known);
  for (const header of OWN_RESULT) addOther(header, { kind: "own-result" }, known);
  const additionsOf = createAdditions();

  return {
    match(header) {
      if (isReadOnlyHeader(header)) return { target: { kind: "own-result" }, rank: RANK.header };
      const property = propertyName(header);
      if (property !== undefined) {
        return { target: { kind: "property", name: property }, rank: RANK.header };
      }
      const exact = known.get(headerKey(header));
      if (exact !== undefined) return { ...exact, isOwn: isOwnText(header) };
      const hint = hints.get(headerKey(header));
      if (hint !== undefined) return unknown(hint);
      return matchWithAdditions(header, known, additionsOf) ?? matchNothing(header, known);
    },
  };
}

/** The name in a header such as `Özellik: Renk`, or nothing. */
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
  // A file that is no price list of a supplier leaves no doubt about such a header.
  if (doubt === "trade-list") return { target, rank, doubt: { kind: doubt, target } };
  return { ...unknown(field), rank, doubt: { kind: doubt, target } };
}

function addOther(header: string, target: ColumnTarget, known: Map<string, HeaderMatch>): void {
  known.set(headerKey(header), { target, rank: RANK.header });
}

const OWN_WORDS: ReadonlySet<string> = new Set(
  FIELDS.flatMap(({ key, header }) => [key, header.tr, header.en].map((text) => headerWords(text))),
);

/** Programs write `discountType` with numbers of their own, and that is not our `Discount Type`. */
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

/** A known header among words and brackets that do not change it; the longest one counts. */
function matchWithAdditions(
  header: string,
  known: ReadonlyMap<string, HeaderMatch>,
  additionsOf: AdditionsOf,
): HeaderMatch | undefined {
  const { rest, groups } = splitHeader(header);
  const whole = known.get(headerKey(headerWords(rest)));
  // Nothing is sent of it, whatever else its header says.
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

/** The field that the header means, or means if a person says so. */
function fieldTarget({ target, doubt }: HeaderMatch): FieldTarget | undefined {
  if (target.kind === "field") return target;
  return doubt?.target;
}

/** Every run of words that begins or ends the header, the longest first. */
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
