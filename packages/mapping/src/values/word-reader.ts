import { fold } from "../fold.ts";
import { accept, type Reading, refuse } from "../issues/issue.ts";
import { type ValueWord } from "./value-words.ts";

/** Reads one closed list of words. */
export interface WordReader<Value> {
  /** Text in either language, any case, with or without accents. */
  read(text: string): Reading<Value>;
  /** The value of a word, or nothing. */
  find(text: string): Value | undefined;
}

/** Spellings that are kept with their value; folding a text costs more than all else about it. */
const MAX_REMEMBERED = 1_000;

const listWords = (words: readonly ValueWord<unknown>[], language: "tr" | "en"): string =>
  words.map((word) => `“${word[language]}”`).join(", ");

/** Makes a reader for one list of `VALUE_WORDS`. */
export function createWordReader<Value>(words: readonly ValueWord<Value>[]): WordReader<Value> {
  const values = new Map<string, Value>();
  const hints = new Map<string, ValueWord<Value>>();
  for (const word of words) {
    for (const text of [word.tr, word.en, ...word.also]) values.set(fold(text), word.value);
    for (const text of word.suggestOnly ?? []) hints.set(fold(text), word);
  }

  const remembered = new Map<string, Value>();
  const find = (text: string): Value | undefined => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const value = values.get(fold(text));
    if (value !== undefined && remembered.size < MAX_REMEMBERED) remembered.set(text, value);
    return value;
  };
  return {
    find,
    read(text) {
      const value = find(text);
      if (value !== undefined) return accept(value);
      const hint = hints.get(fold(text));
      const shown = hint === undefined ? words : [hint];
      const names = { tr: listWords(shown, "tr"), en: listWords(shown, "en") };
      return refuse("E_VALUE_UNKNOWN", { names });
    },
  };
}
