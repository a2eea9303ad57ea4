/** Finds the words of a list that a typed word may mean: typing errors, beginnings, endings. */

import { distance } from "fastest-levenshtein";

/** A word of the list, and how alike it is: 1 for an equal one, more than 0 for any other. */
export interface SimilarWord {
  readonly id: number;
  readonly likeness: number;
}

/** Words by number; a word is added once. */
export interface WordList {
  add(word: string): number;
  /** In no particular order. Words added later may be missing. */
  findSimilar(word: string): readonly SimilarWord[];
  readonly size: number;
}

/** A word that is repeated in many texts is looked up once. */
const MAX_KEPT = 5_000;

/** Of more words that are alike, the least alike are left out. */
const MAX_SIMILAR = 60;

/** Words with so many equal first letters are compared, for endings that differ. */
const START_LETTERS = [3, 4] as const;

/** Two typing errors, or one pair of letters in the wrong order, change so many pairs at most. */
const MAX_CHANGED_PAIRS = 5;

/** Pairs of letters by which words are found. */
const MAX_PAIRS = 8;

/** Maximum number of typing errors, and the lengths from which one and two are allowed. */
const MAX_SLIPS = 2;
const MIN_LENGTH_FOR_SLIPS = [3, 5] as const;

/** Longer words are no words, and comparing them takes long. */
const MAX_WORD_LENGTH = 40;

export function createWordList(): WordList {
  const words: string[] = [];
  const ids = new Map<string, number>();
  const kept = new Map<string, readonly SimilarWord[]>();
  let index: WordIndex | undefined;
  const find = (word: string): readonly SimilarWord[] => {
    index ??= createWordIndex(words);
    const found: SimilarWord[] = [];
    for (const id of index.candidates(word)) {
      const likeness = likenessOf(word, words[id] ?? "");
      if (likeness > 0) found.push({ id, likeness });
    }
    if (found.length <= MAX_SIMILAR) return found;
    return found.toSorted((a, b) => b.likeness - a.likeness).slice(0, MAX_SIMILAR);
  };
  return {
    get size() {
      return words.length;
    },
    add(word) {
      const known = ids.get(word);
      if (known !== undefined) return known;
      ids.set(word, words.length);
      return words.push(word) - 1;
    },
    findSimilar(text) {
      const word = text.slice(0, MAX_WORD_LENGTH);
      const known = kept.get(word);
      if (known !== undefined) return known;
      if (kept.size >= MAX_KEPT) kept.clear();
      const found = find(word);
      kept.set(word, found);
      return found;
    },
  };
}

/** How alike two words are, from 0 to 1. */
function likenessOf(typed: string, word: string): number {
  if (typed === word) return 1;
  const [shorter, longer] = typed.length < word.length ? [typed, word] : [word, typed];
  const ratio = shorter.length / longer.length;
  const stem = commonStart(typed, word);
  const minStem = Math.max(MIN_LENGTH_FOR_SLIPS[0], Math.ceil(shorter.length * 0.7));
  const byStem = stem < minStem ? 0 : (0.5 + 0.4 * (stem / longer.length)) * (0.6 + 0.4 * ratio);
  return Math.max(byStem, bySlips(typed, word));
}

function bySlips(typed: string, word: string): number {
  return Math.max(0, 1 - (1.3 * countSlips(typed, word)) / Math.max(typed.length, word.length));
}

/** Number of typing errors between two words; `Infinity` for more than their lengths allow. */
export function countSlips(typed: string, word: string): number {
  if (typed === word) return 0;
  const length = Math.min(typed.length, word.length);
  const allowed = MIN_LENGTH_FOR_SLIPS.filter((min) => length >= min).length;
  if (allowed === 0 || Math.abs(typed.length - word.length) > MAX_SLIPS) return Infinity;
  const slips = distance(typed, word);
  return slips > allowed ? Infinity : slips;
}

function commonStart(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

interface WordIndex {
  /** Words that may be similar, and others. */
  candidates(word: string): Iterable<number>;
}

/** Words by a part of them. */
type WordsByPart = Map<string, number[]>;

function put(lists: WordsByPart, part: string, id: number): void {
  const list = lists.get(part);
  if (list === undefined) lists.set(part, [id]);
  else list.push(id);
}

/** Finds words by pairs of letters, and by their beginnings. */
function createWordIndex(words: readonly string[]): WordIndex {
  const byPair: WordsByPart = new Map();
  const byStart: WordsByPart = new Map();
  for (const [id, word] of words.entries()) {
    for (const pair of pairsOf(word)) put(byPair, pair, id);
    for (const length of START_LETTERS) {
      if (word.length >= length) put(byStart, word.slice(0, length), id);
    }
  }
  const shared = new Uint8Array(words.length);
  /** Counts a pair in every word that has it, and collects the words that had enough by now. */
  const countPair = (ids: readonly number[], enough: number, found: Set<number>): void => {
    for (const id of ids) {
      const count = (shared[id] ?? 0) + 1;
      shared[id] = count;
      if (count === enough) found.add(id);
    }
  };
  return {
    candidates(word) {
      const found = new Set(byStart.get(word.slice(0, startLength(word))));
      const lists = Array.from(pairsOf(word), (pair) => byPair.get(pair) ?? []);
      // Of any pairs all but a few are there, so that the rarest ones are enough.
      const rarest = lists.toSorted((one, other) => one.length - other.length).slice(0, MAX_PAIRS);
      const enough = Math.max(1, rarest.length - MAX_CHANGED_PAIRS);
      for (const ids of rarest) countPair(ids, enough, found);
      for (const ids of rarest) for (const id of ids) shared[id] = 0;
      return found;
    },
  };
}

const startLength = ({ length }: string): number =>
  length < START_LETTERS[1] ? START_LETTERS[0] : START_LETTERS[1];

/** Neighbouring letters, with the start and the end of the word. */
function pairsOf(word: string): ReadonlySet<string> {
  const marked = `^${word}$`;
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < marked.length; at += 1) pairs.add(marked.slice(at, at + 2));
  return pairs;
}
