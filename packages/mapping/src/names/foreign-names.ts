/** Names as other platforms write them: HTML codes, other separators of paths, a word for `&`. */

import { nameKey, pathNameKey } from "./name-key.ts";

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
