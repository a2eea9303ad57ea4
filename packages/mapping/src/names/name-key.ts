/** Decides when two names, or two category paths, are one: case, accents, width and separators are
 * ignored, but signs that distinguish names are kept. `Pro+` is not `Pro`, `-20°C` is not `20°C`. A sign
 * counts unless the table of separators below lists it. */

import { toPlainLetters, trimText } from "../text-keys.ts";

/**
 * Signs that only separate words, set them off or end a sentence, at any place, and those that do
 * so between letters.
 */
const DIVIDERS =
  /[&_;!|\\()[\]{}«»‹›·•‧]|(?<=[\p{L}\s])[-.,:](?=[\p{L}\s])|(?<=\p{L})['/](?=\p{L})/gu;

/** Letters, digits and blanks only. */
const PLAIN_WORDS = /^[\p{L}\p{N}\s]*$/u;

/** Key of a name: names with an equal key are one name. */
export function nameKey(text: string): string {
  // A name of separators only is its own key.
  return signedKey(text) || joinBlanks(toPlainLetters(text)) || joinBlanks(text);
}

function signedKey(text: string): string {
  const plain = toPlainLetters(spellOut(text));
  const words = joinBlanks(plain.trim().replaceAll(DIVIDERS, " "));
  if (PLAIN_WORDS.test(words)) return words;
  const unified = joinBlanks(unifySigns(words));
  const signed = unified.replaceAll(SIGN, (sign, offset: number) => {
    const before = unified.slice(Math.max(0, offset - MAX_KEY_LENGTH), offset);
    const after = unified.slice(offset + sign.length, offset + sign.length + MAX_KEY_LENGTH);
    return keepSign(sign, before, after);
  });
  return joinBlanks(joinSigns(signed));
}

/**
 * Key of one name in a category path. A plus between words means "and", like `&`; a slash separates
 * names, also between digits; a hyphen at the end is the rest of a slug.
 */
export function pathNameKey(text: string): string {
  return nameKey(
    text.replaceAll(PLUS_FOR_AND, " ").replaceAll(/[/:]/gu, " ").replace(/-\s*$/u, ""),
  );
}

/** Key of a property's name: a unit in brackets, as in `Pamuk Oranı (%)`, is ignored. */
export function propertyNameKey(text: string): string {
  return nameKey(text.replaceAll(UNIT_IN_BRACKETS, " "));
}

const UNIT_IN_BRACKETS = /\(\s*["”″%°]\s*\)/gu;

/** Matches `Anne + Bebek` and `Anne+Bebek`, but neither `S10+ Kılıf` nor `C++`. */
const PLUS_FOR_AND = /(?<=[\p{L}\p{N}])\s+\+\s+(?=[\p{L}\p{N}])|(?<=\p{L})\+(?=\p{L})/gu;

/**
 * Number of letters on either side that decide the meaning of a sign; without a limit long texts
 * take minutes.
 */
const MAX_KEY_LENGTH = 40;

const SIGN = /[^\p{L}\p{N}\s]/gu;

const AROUND_SIGN = / ?([^\p{L}\p{N}\s]) ?/gu;

/** Removes the blanks beside signs: `12 +` becomes `12+`. Other blanks become single. */
export function joinSigns(text: string): string {
  return text.replaceAll(/\s+/gu, " ").replaceAll(AROUND_SIGN, "$1");
}

const joinBlanks = (text: string): string => text.replaceAll(/\s+/gu, " ").trim();

const BEYOND_ASCII = /[\u0080-\u{10ffff}]/u;

/** Square and cubic measures, which are also written with a plain digit: `10 m²`, `g/m²`. */
const MEASURE = /(?<=(?:\d|\/)\s*[cdkm]?m)[²³]/giu;
const SUPERSCRIPT = /[²³¹\u2070\u2074-\u207e]+/gu;
const FRACTION = /[¼½¾\u2150-\u215f\u2189]/gu;
/** Trademark signs, which are not part of a name. */
const OWNERSHIP = /[™®©℠]/gu;

/** Spells out characters that Unicode normalization would turn into plain digits or letters. */
function spellOut(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  return text
    .replaceAll(MEASURE, (digit) => (digit === "²" ? "2" : "3"))
    .replaceAll(SUPERSCRIPT, "^$&")
    .replaceAll(FRACTION, " $&")
    .replaceAll(OWNERSHIP, " ");
}

const DASHES = /[\u2010-\u2015\u2212\u2043]/gu;
const SINGLE_QUOTES = /[`\u00b4\u2018-\u201b\u2032\u02b9\u02bc]/gu;
const DOUBLE_QUOTES = /[“”„‟]|''/gu;
const FRACTION_BARS = /[\u2044\u2215]/gu;
/** Quotes around one or more words: the first one before a word, the second one behind one. */
const QUOTED = /(?<=^|[\s([{])(["'])(?=\S)([^"']*)\1(?![\p{L}\p{N}])/gu;
/** A percentage in Turkish (`%50`) and in English (`50%`) notation. */
const PERCENT_BEHIND = /(?<!\d)(?<!%\s?[\d.,]{0,40})(\d{1,15}(?:[.,]\d{1,15}){0,5})\s?%(?!\s?\d)/gu;

/** Uses one spelling for signs that have several. */
function unifySigns(text: string): string {
  const unified = text
    .replaceAll(DASHES, "-")
    .replaceAll(SINGLE_QUOTES, "'")
    .replaceAll(DOUBLE_QUOTES, '"')
    .replaceAll(FRACTION_BARS, "/")
    .replaceAll(QUOTED, " $2 ");
  return unified.includes("%") ? unified.replaceAll(PERCENT_BEHIND, "%$1 ") : unified;
}

/**
 * Replacement of a sign in the key, by the text on both its sides; a blank where it only separates.
 */
type SignRule = (before: string, after: string) => string;

const ENDS_IN_DIGIT = /\d\s*$/u;
const BEGINS_WITH_DIGIT = /^\s*\d/u;

const isBetweenDigits = (before: string, after: string): boolean =>
  ENDS_IN_DIGIT.test(before) && BEGINS_WITH_DIGIT.test(after);

/** No word stands directly before it. */
const BEGINS_WORD = /(?:^|[^\p{L}\p{N}.,'")\]}°%])$/u;

/**
 * A minus stands directly before a number or at the start (`-5`, `- 5`, `-%20`), or directly behind
 * the last word (`A-`). Any other is a hyphen or a dash.
 */
const minus: SignRule = (before, after) => {
  const isNegative = BEGINS_WORD.test(before) && /^[^\p{L}\p{N}\s-]*\d/u.test(after);
  const isFirst = before.trim() === "" && BEGINS_WITH_DIGIT.test(after);
  const isLast = /[\p{L}\p{N}]$/u.test(before) && /^\s*(?:[)\]}]+\s*)?$/u.test(after);
  return isNegative || isFirst || isLast ? "-" : " ";
};

/**
 * A decimal sign stands between digits or before the first: `1.5`, `.5`. A comma equals a point
 * except before three digits, where the numbers may differ: `1.500` and `1,500`.
 */
const decimal =
  (sign: "." | ","): SignRule =>
  (before, after) => {
    const isInside = /\d$/u.test(before) && /^\d/u.test(after);
    const isFirst = BEGINS_WORD.test(before) && /^\d/u.test(after);
    if (!isInside && !isFirst) return " ";
    const canGroup = /(?:^|\D)[1-9]\d{0,2}$/u.test(before) && /^\d{3}(?!\d)/u.test(after);
    return canGroup ? sign : ".";
  };

/** `1/2` and `1:18` are both ratios. */
const ratio: SignRule = (before, after) => (isBetweenDigits(before, after) ? "/" : " ");

/** Between digits it means "times", beside one digit stars; anywhere else it marks a footnote. */
const star: SignRule = (before, after) => {
  if (isBetweenDigits(before, after)) return "×";
  return /\d$/u.test(before) || /^\d/u.test(after) ? "*" : " ";
};

/** Inches and feet behind a digit; `5'lik` has a suffix, and other quotes only set words off. */
const quote =
  (sign: "'" | '"'): SignRule =>
  (before, after) =>
    ENDS_IN_DIGIT.test(before) && !(sign === "'" && /^\p{L}/u.test(after)) ? sign : " ";

/** Signs that count in some places only; all other signs count everywhere. */
const RULES: ReadonlyMap<string, SignRule> = new Map([
  ["-", minus],
  [".", decimal(".")],
  [",", decimal(",")],
  ["/", ratio],
  [
    ":",
    (before, after) => (/\s$/u.test(before) || /^\s/u.test(after) ? " " : ratio(before, after)),
  ],
  ["*", star],
  ["'", quote("'")],
  ['"', quote('"')],
]);

/** Invisible marks, such as those for the direction of a text. */
const UNSEEN = /^[\p{Cc}\p{Cf}]$/u;

function keepSign(sign: string, before: string, after: string): string {
  const rule = RULES.get(sign);
  if (rule !== undefined) return rule(before, after);
  return UNSEEN.test(sign) ? " " : sign;
}

const CODES: ReadonlyMap<string, string> = new Map([
  ["&amp;", "&"],
  ["&gt;", ">"],
  ["&lt;", "<"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&#39;", "'"],
  ["&#039;", "'"],
  ["&#38;", "&"],
  ["&#038;", "&"],
  ["&nbsp;", " "],
]);

const CODE = /&(?:amp|gt|lt|quot|apos|nbsp|#0?3[89]);/giu;

/** Decodes HTML codes once. */
export const decodeCodes = (text: string): string =>
  text.replaceAll(CODE, (code) => CODES.get(code.toLowerCase()) ?? code);

/** The text with its HTML codes decoded, where it has any. */
export const readingsOf = (text: string): readonly string[] =>
  text.includes("&") && decodeCodes(text) !== text ? [decodeCodes(text)] : [];

/** Signs that only divide the names of a path, in files of other platforms. */
const SEPARATORS = /(?:(?<!\s)\s+)?(?:[|\\\n\r\u2028\u2029→›⟩❯＞]|::)+\s*/gu;

/** A path with `>` in place of the separators of other platforms. */
export const toOwnSeparators = (path: string): string =>
  decodeCodes(path).replaceAll(SEPARATORS, " > ");

/** Signs that divide names in some paths, and belong to names or divide paths in others. */
const WEAK_SEPARATORS = /[,;]|\s[-\u2013\u2014]\s/gu;

/** The keys of the names of a path, from the root down, however its file divides them. */
export const pathNameKeys = (path: string): readonly string[] =>
  splitPath(toOwnSeparators(path)).map((name) => pathNameKey(name));

/** A path with `>` in place of weak separators too; only a whole path may be read so. */
export const toStrictPath = (path: string): string =>
  toOwnSeparators(path).replaceAll(WEAK_SEPARATORS, " > ");

const JOINING_WORD = /(?<=\p{L}) (?:ve|and)(?= \p{L})/gu;

/** Key in which `ve` and `and` between words equal `&`, which divides words. */
const withoutJoining = (key: string): string => key.replaceAll(JOINING_WORD, "");

/** The looser key of one name in a path. */
export const joinedPathNameKey = (name: string): string => withoutJoining(pathNameKey(name));

/** The looser key of a name. */
export const joinedNameKey = (name: string): string => withoutJoining(nameKey(name));

/** Texts of several paths, as lists of categories are written. */
export const splitPaths = (text: string): readonly string[] =>
  decodeCodes(text)
    .split(/[,;\n\r]+/u)
    .map((path) => path.trim())
    .filter((path) => path !== "");

/** `>`, `>>` and `»`, also with a shaft as in `->` and `=>`. Blanks beside it must be single. */
const ARROWS = /[-=\u2010-\u2015]{0,8}[>»]/u;
const FIRST_ARROWS = new RegExp(`^(?: ?${ARROWS.source})+ ?`, "u");
const ARROW_HEAD = /[>»]/u;
const ARROW_SHAFT = /[-=\u2010-\u2015]/u;
const QUOTED_PATH = /^["“”„«](.*)["“”»]$/u;
const ARROWS_AND_SLASHES = new RegExp(`${ARROWS.source}|/`, "u");
const ARROWS_AND_SPACED_SLASHES = new RegExp(`${ARROWS.source}| / `, "u");

/**
 * Makes blanks single, so that a pattern does not test each run of them once for each of its
 * blanks.
 */
const withSingleBlanks = (text: string): string => text.replaceAll(/\s+/gu, " ");

/** Removes quotes around a path, and separators at its ends. */
export function trimPath(path: string): string {
  const text = trimText(path);
  const bare = withSingleBlanks(QUOTED_PATH.exec(text)?.[1] ?? text);
  return withoutLastArrows(bare.replace(FIRST_ARROWS, ""));
}

/**
 * Removes arrows from behind, because a pattern for the end of a text is tried at each arrow within
 * it.
 */
function withoutLastArrows(path: string): string {
  let kept = path.length;
  for (;;) {
    let at = path.slice(kept - 1, kept) === " " ? kept - 1 : kept;
    if (!ARROW_HEAD.test(path.slice(at - 1, at))) return path.slice(0, kept);
    at -= 1;
    while (ARROW_SHAFT.test(path.slice(at - 1, at))) at -= 1;
    kept = path.slice(at - 1, at) === " " ? at - 1 : at;
  }
}

/**
 * The names in a path. A slash separates only with blanks around it, since names contain slashes.
 */
export function splitPath(path: string): readonly string[] {
  return splitAt(path, ARROWS_AND_SPACED_SLASHES);
}

/** The names in a path in which every slash separates, as in `Ev/Mutfak`. */
export function splitPathAtSlashes(path: string): readonly string[] {
  return splitAt(path, ARROWS_AND_SLASHES);
}

const splitAt = (path: string, separator: RegExp): readonly string[] =>
  withSingleBlanks(path)
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Key of a path: equal for paths that differ only in separators, case and accents. */
export type PathKey = (parts: readonly string[]) => string;

/**
 * Creates a `PathKey` that folds each name once, because folding is slow and a tree repeats the
 * names of its upper categories in every path. It keeps all names that it is given, so it is for
 * the paths of one tree only.
 */
export function createPathKey(): PathKey {
  const keys = new Map<string, string>();
  const keyOf = (name: string): string => {
    const known = keys.get(name);
    if (known !== undefined) return known;
    const key = pathNameKey(name);
    keys.set(name, key);
    return key;
  };
  return (parts) => parts.map(keyOf).join(">");
}

/** The key of one path that is not kept, such as the text of a cell. */
export const pathKey: PathKey = (parts) => parts.map((part) => pathNameKey(part)).join(">");
