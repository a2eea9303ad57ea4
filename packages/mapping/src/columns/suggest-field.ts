import { distance } from "fastest-levenshtein";

import { findCurrency } from "./fields/currency-keywords.ts";
import type { FieldKey } from "./fields/field.ts";
import { headerKey, headerTokens, headerWords, splitHeader } from "./header-key.ts";

/** The field that an unknown header may mean. It is never used, only suggested to a person. */
export interface SuggestedField {
  readonly field: FieldKey | undefined;
  /** Whether the header is that of the field with an addition, such as `Fiyat (USD)`. */
  readonly isVariant: boolean;
}

/** Shorter headers are not compared by distance, because any two of them are close. */
const MIN_LETTERS_FOR_DISTANCE = 4;

/** One typing error is allowed for each this many letters, and at least one. */
const LETTERS_PER_SLIP = 5;

/** A header with one of these words holds something other than the field. */
const TELLING_WORDS = /haric|indirim|eski|alis|maliyet|excl|without|discount|cost|purchase/u;

/**
 * Finds the field whose header is contained in an unknown one, or is within a few typing errors of
 * it. `fields` is by header key.
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

/** Finds the field of the header without brackets, signs, currencies and separated additions. */
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
    // `Görsel 9` is not a typing error of `Görsel 8`.
    if (digitsOf(other) !== digitsOf(key)) continue;
    const slips = distance(key, other);
    if (slips > allowed) continue;
    best = { field, slips };
    allowed = slips - 1;
  }
  return best?.field;
}

const digitsOf = (key: string): string => key.replaceAll(/\D/gu, "");
