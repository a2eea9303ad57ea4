/** Orders names for a person's search: by how literally the searched text stands in them. */

import { fold } from "../fold.ts";
import type { SuggestedName } from "./suggester.ts";

/** How a searched word stands in a name, from the nearest on. */
const RANK = { word: 0, prefix: 1, substring: 2, above: 3, similar: 4 } as const;

/** A substring of fewer letters stands in too many names to tell anything. */
const MIN_SUBSTRING = 3;

/**
 * The positions of all names that have the text as a word, as the beginning of one or within, in
 * this order, and behind them the similar ones as they are given. Every word of the text must stand
 * in a name.
 */
export function rankLiteral(
  text: string,
  names: readonly SuggestedName[],
  similar: readonly number[],
): readonly number[] {
  const words = wordsOf(text);
  if (words.length === 0) return similar;
  const order = new Map(similar.map((position, at) => [position, at]));
  const placeOf = (position: number): number => order.get(position) ?? similar.length;
  return names
    .map((name, position) => ({ position, rank: rankOf(words, name) }))
    .filter(({ position, rank }) => rank <= RANK.substring || order.has(position))
    .toSorted((a, b) => a.rank - b.rank || placeOf(a.position) - placeOf(b.position))
    .map(({ position }) => position);
}

function rankOf(words: readonly string[], { name, above = [] }: SuggestedName): number {
  const own = wordsOf(name);
  const upper = above.flatMap(wordsOf);
  return Math.max(...words.map((word) => rankWord(word, own, upper)));
}

function rankWord(word: string, own: readonly string[], upper: readonly string[]): number {
  if (own.includes(word)) return RANK.word;
  if (own.some((other) => other.startsWith(word))) return RANK.prefix;
  if (word.length >= MIN_SUBSTRING && own.some((other) => other.includes(word)))
    return RANK.substring;
  return upper.some((other) => other.startsWith(word)) ? RANK.above : RANK.similar;
}

const wordsOf = (text: string): readonly string[] =>
  fold(text)
    .split(" ")
    .filter((word) => word !== "");
