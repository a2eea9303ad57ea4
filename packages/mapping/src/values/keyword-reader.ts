import type { Lang } from "@catalog/i18n";

import { accept, type Reading, refuse } from "../issues/issue.ts";
import { nameKey } from "../names/name-key.ts";
import type { ValueKeyword } from "./keywords.ts";

/** Reads one closed list of keywords. */
export interface KeywordReader<Value> {
  /** Accepts a keyword in either language and any case, with or without accents. */
  read(text: string): Reading<Value>;
  /** The value of a keyword; `undefined` for any other text. */
  find(text: string): Value | undefined;
}

/** Maximum number of cached spellings; folding a text is the largest part of reading it. */
const MAX_REMEMBERED = 1_000;

const SIGNS = /[^\p{L}\p{N} ]/gu;

const listKeywords = (words: readonly ValueKeyword<unknown>[], language: Lang): string =>
  words.map((word) => `“${word[language]}”`).join(", ");

/** The keywords to choose from for a text that is none: all, or the one that it is a hint to. */
export function suggestKeywords<Value>(
  words: readonly ValueKeyword<Value>[],
  text: string,
): readonly ValueKeyword<Value>[] {
  const key = nameKey(text);
  const hint = words.find(({ suggestOnly = [] }) =>
    suggestOnly.some((each) => nameKey(each) === key),
  );
  return hint === undefined ? words : [hint];
}

/** Makes a reader for one list of `VALUE_KEYWORDS`. */
export function createKeywordReader<Value>(
  words: readonly ValueKeyword<Value>[],
): KeywordReader<Value> {
  const values = new Map<string, Value>();
  for (const word of words) {
    for (const text of [word.tr, word.en, ...word.also]) values.set(nameKey(text), word.value);
  }

  /**
   * A sign beside a keyword must agree with it: `USD ($)` is one currency, `-12 Ay` is no period.
   */
  const findKey = (key: string): Value | undefined => {
    const signs = key.match(SIGNS)?.join("");
    const value = values.get(key);
    if (value !== undefined || signs === undefined || signs === key) return value;
    const word = values.get(key.replaceAll(SIGNS, " ").replaceAll(/ +/gu, " ").trim());
    return word !== undefined && word === values.get(signs) ? word : undefined;
  };

  const remembered = new Map<string, Value>();
  const find = (text: string): Value | undefined => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const value = findKey(nameKey(text));
    if (value !== undefined && remembered.size < MAX_REMEMBERED) remembered.set(text, value);
    return value;
  };
  return {
    find,
    read(text) {
      const value = find(text);
      if (value !== undefined) return accept(value);
      const shown = suggestKeywords(words, text);
      const names = { tr: listKeywords(shown, "tr"), en: listKeywords(shown, "en") };
      return refuse("E_VALUE_UNKNOWN", { names });
    },
  };
}
