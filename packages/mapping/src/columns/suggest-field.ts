import { distance } from "fastest-levenshtein";

import { findCurrency } from "./fields/currency-keywords.ts";
import { type FieldKey } from "./fields/field.ts";
import { headerKey, headerTokens, headerWords, splitHeader } from "./header-key.ts";

/** The field that an unknown header may mean. It is never taken, only named to a person. */
export interface SuggestedField {
  readonly field: FieldKey | undefined;
  /** The header is that of the field but for an addition, such as `Fiyat (USD)`. */
  readonly isVariant: boolean;
}

/** Shorter headers are never compared by distance: among two letters everything is close. */
const MIN_LETTERS_FOR_DISTANCE = 4;

/** One slip is allowed for each so many letters, and one in any case. */
const LETTERS_PER_SLIP = 5;

/** A header with one of these holds something that nobody wants to send as the field. */
const TELLING_WORDS = /haric|indirim|eski|alis|maliyet|excl|without|discount|cost|purchase/u;

/**
 * Finds the field whose header is within an unknown one, or a slip of the finger away from it.
 * `fields` is by header key.
 */
export function suggestField(
  header: string,
  fields: ReadonlyMap<string, FieldKey>,
): SuggestedField {
  const variant = findVariant(header, fields);
  const isTelling = TELLING_WORDS.test(headerKey(header));
  if (variant !== undefined) {
    return { field: isTelling ? undefined : variant, isVariant: !isTelling };
  }
  const close = isTelling ? undefined : findClose(headerKey(header), fields);
  return { field: close, isVariant: false };
}

/** The field of the header without brackets, signs, currencies and what a sign sets apart. */
function findVariant(header: string, fields: ReadonlyMap<string, FieldKey>): FieldKey | undefined {
  const { rest } = splitHeader(header);
  const tokens = headerTokens(rest);
  const words = tokens.filter((token) => /[\p{L}\p{N}]/u.test(token) && !findCurrency(token));
  const parts = rest.split(/\s[-–—/:|,]\s?|[:/|,–—]|(?<=\S)-(?=\S)/u);
  for (const text of [rest, words.join(" "), headerWords(words.join(" ")), ...parts]) {
    const field = fields.get(headerKey(text));
    if (field !== undefined) return field;
  }
  return undefined;
}

function findClose(key: string, fields: ReadonlyMap<string, FieldKey>): FieldKey | undefined {
  if (key.length < MIN_LETTERS_FOR_DISTANCE) return undefined;
  let best: { readonly field: FieldKey; readonly slips: number } | undefined;
  let allowed = Math.max(1, Math.floor(key.length / LETTERS_PER_SLIP));
  for (const [other, field] of fields) {
    if (other.length < MIN_LETTERS_FOR_DISTANCE) continue;
    if (Math.abs(other.length - key.length) > allowed) continue;
    // `Görsel 9` is no slip for `Görsel 8`.
    if (digitsOf(other) !== digitsOf(key)) continue;
    const slips = distance(key, other);
    if (slips > allowed) continue;
    best = { field, slips };
    allowed = slips - 1;
  }
  return best?.field;
}

const digitsOf = (key: string): string => key.replaceAll(/\D/gu, "");
