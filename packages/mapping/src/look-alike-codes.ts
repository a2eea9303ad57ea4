/** Compares the code of a new product with those in use. */

import { suspectCodeKey } from "./fold.ts";

/** Signs that separate the parts of a code: dashes of every length, `_`, `.` and slashes. */
const SEPARATORS = /[\p{Pd}\u2212_./\\]+/gu;

const ASCII = /^[\u0020-\u007e]*$/u;
const MARKS = /\p{M}+/gu;
const LEADING_ZEROS = /^0+(?=\d)/u;
const DIGITS = /^\d+$/u;

/**
 * Key of codes that look like one in use: as {@link suspectCodeKey}, but accents, separators, O/0
 * and I/l/1 do not count either, nor do the leading zeros of a code of digits. Codes of digits
 * share it only where their numbers are equal. A new product whose code shares it is decided on by
 * a person.
 */
export function lookAlikeCodeKey(text: string): string {
  const suspect = suspectCodeKey(text);
  const letters = withoutAccents(suspect).replaceAll(SEPARATORS, "");
  // A code of separators only is kept as it is.
  if (letters === "") return suspect;
  const digits = letters.replaceAll("o", "0").replaceAll(/[il]/gu, "1");
  if (!DIGITS.test(digits)) return digits;
  // A word of such letters alone (LOL) is no number.
  return /\d/u.test(letters) ? digits.replace(LEADING_ZEROS, "") : letters;
}

const withoutAccents = (text: string): string =>
  ASCII.test(text) ? text : text.normalize("NFKD").replaceAll(MARKS, "");

/**
 * Whether the digits of two look-alike codes are separated at different places, as in `KML-1-11`
 * and `KML-11-1`, so that they are two codes of a family. A code without such separators may have
 * lost them.
 */
export function areCodesSplitApart(one: string, other: string): boolean {
  const [a, b] = [toSplits(one), toSplits(other)];
  return a.size > 0 && b.size > 0 && !isSubset(a, b) && !isSubset(b, a);
}

const isSubset = <T>(part: ReadonlySet<T>, whole: ReadonlySet<T>): boolean =>
  [...part].every((each) => whole.has(each));

/** Where separators stand between digits, counted from the end without the separators. */
function toSplits(code: string): ReadonlySet<number> {
  const parts = withoutAccents(suspectCodeKey(code)).split(SEPARATORS);
  const splits = new Set<number>();
  let after = 0;
  for (const [index, part] of [...parts.entries()].toReversed()) {
    after += part.length;
    const before = parts[index - 1] ?? "";
    if (/\d$/u.test(before) && /^\d/u.test(part)) splits.add(after);
  }
  return splits;
}
