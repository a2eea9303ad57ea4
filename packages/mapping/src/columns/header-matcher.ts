import { type DiscountType } from "@catalog/contract";
import { distance } from "fastest-levenshtein";

import { compactFold, fold, trimText } from "../fold.ts";
import { type FieldDefinition, type FieldKey, RANK } from "./field.ts";
import { FIELDS } from "./fields.ts";
import { isReadOnlyHeader, NEVER_SENT, OWN_RESULT } from "./other-headers.ts";

/** What a column is for. */
export type ColumnTarget =
  | {
      readonly kind: "field";
      readonly field: FieldKey;
      /** The kind of discount that the header alone states. */
      readonly discountType?: DiscountType;
    }
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
}

/** Tells what a header means. */
export interface HeaderMatcher {
  match(header: string): HeaderMatch;
}

/** Shorter headers are never compared by distance: among two letters everything is close. */
const MIN_LETTERS_FOR_DISTANCE = 4;

/** One slip is allowed for each so many letters, and one in any case. */
const LETTERS_PER_SLIP = 5;

/** Brackets with one of these words change what the column means, so they are not dropped. */
const TELLING_WORDS = /haric|hariç|indirim|eski|alis|alış|maliyet|excl|without|discount|cost/iu;

const PROPERTY = /^(?:property|özellik|ozellik)\s*:\s*(.+)$/iu;

/** Makes a matcher over all fields, their aliases and the headers known besides. */
export function createHeaderMatcher(): HeaderMatcher {
  const known = new Map<string, HeaderMatch>();
  const hints = new Map<string, FieldKey>();
  for (const field of FIELDS) addField(field, known, hints);
  for (const header of NEVER_SENT) addOther(header, { kind: "never-sent" }, known);
  for (const header of OWN_RESULT) addOther(header, { kind: "own-result" }, known);

  const lookUp = (key: string): HeaderMatch | undefined => {
    const hint = hints.get(key);
    return known.get(key) ?? (hint === undefined ? undefined : unknown(hint));
  };

  return {
    match(header) {
      if (isReadOnlyHeader(header)) return { target: { kind: "own-result" }, rank: RANK.header };
      const property = propertyName(header);
      if (property !== undefined) {
        return { target: { kind: "property", name: property }, rank: RANK.header };
      }
      const bare = withoutBrackets(header);
      const match = lookUp(compactFold(header)) ?? lookUp(compactFold(bare));
      return match ?? unknown(findClose(compactFold(header), known));
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
  for (const { text, rank, discountType } of field.aliases) {
    const extra = discountType === undefined ? {} : { discountType };
    known.set(compactFold(text), { target: { kind: "field", field: key, ...extra }, rank });
  }
  for (const text of [key, header.tr, header.en]) {
    known.set(compactFold(text), { target: { kind: "field", field: key }, rank: RANK.header });
  }
  for (const text of suggestOnly) hints.set(compactFold(text), key);
}

function addOther(header: string, target: ColumnTarget, known: Map<string, HeaderMatch>): void {
  known.set(compactFold(header), { target, rank: RANK.header });
}

/** `Fiyat (TL)` is a price, but `Fiyat (KDV Hariç)` is another one. */
function withoutBrackets(header: string): string {
  const brackets = header.match(/\([^)]*\)|\[[^\]]*\]/gu) ?? [];
  if (brackets.some((text) => TELLING_WORDS.test(text) || TELLING_WORDS.test(fold(text)))) {
    return header;
  }
  return header.replaceAll(/\([^)]*\)|\[[^\]]*\]/gu, " ");
}

/** The field whose header is a slip of the finger away; never used, only suggested. */
function findClose(key: string, known: ReadonlyMap<string, HeaderMatch>): FieldKey | undefined {
  if (key.length < MIN_LETTERS_FOR_DISTANCE) return undefined;
  let best: { readonly field: FieldKey; readonly slips: number } | undefined;
  let allowed = Math.max(1, Math.floor(key.length / LETTERS_PER_SLIP));
  for (const [other, { target }] of known) {
    if (target.kind !== "field" || other.length < MIN_LETTERS_FOR_DISTANCE) continue;
    if (Math.abs(other.length - key.length) > allowed) continue;
    const slips = distance(key, other);
    if (slips > allowed) continue;
    best = { field: target.field, slips };
    allowed = slips - 1;
  }
  return best?.field;
}
