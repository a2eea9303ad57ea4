/**
 * Finds names that are close to a text, by their words: in any order, with typing errors, shortened,
 * with other endings, or without the blanks between. A person chooses among the results; they are
 * never used without asking.
 */

import { fold } from "../fold.ts";
import { countSlips, createWordList, type WordList } from "./similar-words.ts";

/**
 * Returns the positions of at most `limit` names that a text may mean, best first. The text is given
 * in its parts, of which the last one counts most.
 */
export type Suggester = (parts: readonly string[], limit?: number) => readonly number[];

/** A name, and the names above it, from the top. */
export interface SuggestedName {
  readonly name: string;
  /** @default none */
  readonly above?: readonly string[] | undefined;
}

/** Maximum number of suggestions that an issue shows. */
export const MAX_SUGGESTIONS = 3;

/** Longer texts are no names. */
const MAX_SEARCHED_CHARS = 200;
const MAX_SEARCHED_WORDS = 24;

/** Weight of a word that stands in a name above, and of a part of the text before the last one. */
const ABOVE_WEIGHT = 0.4;
const EARLIER_PART_WEIGHT = 0.6;

/** Names with less of their words matched are not suggested. */
const MIN_SCORE = 0.2;

/** Names that share less than this part of the text are not suggested. */
const MIN_SHARED = 0.3;

/** Names that score less than this share of the best one are not suggested. */
const MIN_SHARE_OF_BEST = 0.35;

/** Words that join others. */
const JOINING: ReadonlySet<string> = new Set(["ve", "and", "ile"]);

/** The index is built at the first search, since most lists are never searched. */
export function createSuggester(names: readonly SuggestedName[]): Suggester {
  let index: NameScores | undefined;
  return (parts, limit = MAX_SUGGESTIONS) => {
    const typed = toTyped(parts);
    if (typed.length === 0) return [];
    index ??= createNameScores(names);
    return index.best(typed, limit);
  };
}

/** A word that was typed, and how much it counts. */
interface TypedWord {
  readonly word: string;
  readonly weight: number;
  /** Whether it is a whole part without its blanks. */
  readonly isJoined: boolean;
  /** Number of words of the text that it stands for. */
  readonly words: number;
}

function toTyped(parts: readonly string[]): readonly TypedWord[] {
  const typed: TypedWord[] = [];
  for (const [at, part] of parts.entries()) {
    const words = toWords(part.slice(0, MAX_SEARCHED_CHARS));
    const weight = at === parts.length - 1 ? 1 : EARLIER_PART_WEIGHT;
    for (const word of words) typed.push({ word, weight, isJoined: false, words: 1 });
    const joined = { word: words.join(""), weight, isJoined: true, words: words.length };
    if (words.length > 0) typed.push(joined);
  }
  return typed.slice(-MAX_SEARCHED_WORDS);
}

function toWords(text: string): readonly string[] {
  const words = fold(text)
    .split(" ")
    .filter((word) => word !== "");
  const telling = words.filter((word) => !JOINING.has(word));
  return telling.length === 0 ? words : telling;
}

interface NameScores {
  best(typed: readonly TypedWord[], limit: number): readonly number[];
}

/** The names that have a word, by the word. */
interface Postings {
  inName?: number[];
  above?: number[];
  /** Names that are the word without their blanks. */
  joined?: number[];
  joinedAbove?: number[];
}

function createNameScores(names: readonly SuggestedName[]): NameScores {
  const list = createWordList();
  const postings: Postings[] = [];
  const wordsOf = names.map(({ name }) => toWords(name));
  const put = (word: string, kind: keyof Postings, position: number): void => {
    const id = list.add(word);
    const of = (postings[id] ??= {});
    const positions = of[kind];
    if (positions === undefined) of[kind] = [position];
    else positions.push(position);
  };
  for (const [position, { above = [] }] of names.entries()) {
    const words = wordsOf[position] ?? [];
    for (const word of new Set(words)) put(word, "inName", position);
    put(words.join(""), "joined", position);
    const upper = above.map((name) => toWords(name));
    for (const word of new Set(upper.flat())) put(word, "above", position);
    for (const word of new Set(upper.map((part) => part.join(""))))
      put(word, "joinedAbove", position);
  }
  const rarity = postings.map(({ inName = NONE, above = NONE }) =>
    Math.log(1 + names.length / Math.max(1, inName.length + above.length / 4)),
  );
  return scoreNames({ list, postings, rarity, wordsOf });
}

interface ScoredList {
  readonly list: WordList;
  readonly postings: readonly Postings[];
  /** How much a word tells, by its number. */
  readonly rarity: readonly number[];
  readonly wordsOf: readonly (readonly string[])[];
}

function scoreNames(names: ScoredList): NameScores {
  /** How much all words of a name tell. */
  const whole = Float64Array.from(names.wordsOf, (words) =>
    words.reduce((sum, word) => sum + (names.rarity[names.list.add(word)] ?? 0), 0),
  );
  const scores = createTypedScores(names, whole);
  return {
    best(typed, limit) {
      for (const word of typed) scores.add(word);
      const text = typed.reduce((sum, { weight, isJoined }) => sum + (isJoined ? 0 : weight), 0);
      const found: FoundName[] = [];
      const parts = typed.filter(({ isJoined }) => isJoined).map(({ word }) => word);
      scores.drain((at, { total, named, shared }) => {
        const full = whole[at] ?? 0;
        const covered = full === 0 ? 0 : Math.min(1, named / full);
        if (covered < MIN_SCORE || shared < MIN_SHARED * text) return;
        const slips = countNameSlips(parts, names.wordsOf[at] ?? []);
        found.push({ at, score: total * (0.4 + 0.6 * covered), slips });
      });
      const best = found.reduce((max, { score }) => Math.max(max, score), 0);
      const least = best * MIN_SHARE_OF_BEST;
      return found
        .toSorted(byNearness)
        .slice(0, limit)
        .filter(({ score, slips }) => score >= least || slips < Infinity)
        .map(({ at }) => at);
    },
  };
}

interface FoundName {
  readonly at: number;
  readonly score: number;
  /** Typing errors between the whole text and the whole name; `Infinity` where they are no such. */
  readonly slips: number;
}

/** A name of more words has a larger score, and is not nearer to a text with a typing error. */
function byNearness(one: FoundName, other: FoundName): number {
  if (one.slips !== other.slips) return one.slips - other.slips;
  return other.score - one.score || one.at - other.at;
}

/** A text of several parts is a path, in which the names above count as well. */
function countNameSlips(parts: readonly string[], words: readonly string[]): number {
  const [text, ...others] = parts;
  return text === undefined || others.length > 0 ? Infinity : countSlips(text, words.join(""));
}

/** How well a name matches the words that were typed. */
interface TypedScore {
  readonly total: number;
  /** Of the words in the name itself. */
  readonly named: number;
  /** How much of the text stands in the name and above it. */
  readonly shared: number;
}

interface TypedScores {
  add(typed: TypedWord): void;
  /** Gives the score of each name that shares a word, and begins anew. */
  drain(use: (at: number, score: TypedScore) => void): void;
}

function createTypedScores(names: ScoredList, whole: Float64Array): TypedScores {
  const { list, postings, rarity } = names;
  const totals = createScores(whole.length);
  const named = createScores(whole.length);
  const shared = createScores(whole.length);
  const current = createScores(whole.length);
  const currentName = createScores(whole.length);
  const currentShared = createScores(whole.length);

  const raise = (positions: Positions, likeness: number, score: (at: number) => number): void => {
    for (const at of positions ?? NONE) {
      current.raise(at, score(at));
      currentShared.raise(at, likeness);
    }
  };
  const raiseName = (positions: Positions, likeness: number, score: (at: number) => number) => {
    raise(positions, likeness, score);
    for (const at of positions ?? NONE) currentName.raise(at, score(at));
  };
  return {
    add({ word, weight, isJoined, words }) {
      for (const { id, likeness } of list.findSimilar(word)) {
        const { inName, above, joined, joinedAbove } = postings[id] ?? NO_POSTINGS;
        const score = likeness * (rarity[id] ?? 0);
        if (!isJoined) raiseName(inName, likeness, () => score);
        raise(isJoined ? joinedAbove : above, likeness, () => score * ABOVE_WEIGHT);
        raiseName(joined, likeness, (at) => likeness * (whole[at] ?? 0));
      }
      // Words and their joined form are two readings of one part, so that the joined one adds less.
      const part = isJoined ? weight / 2 : weight;
      current.drain((at, value) => totals.add(at, value * part));
      currentName.drain((at, value) => named.add(at, value));
      currentShared.drain((at, likeness) => shared.add(at, likeness * weight * words));
    },
    drain(use) {
      totals.drain((at, total) => {
        use(at, { total, named: named.read(at), shared: shared.read(at) });
      });
      named.drain(() => undefined);
      shared.drain(() => undefined);
    },
  };
}

type Positions = readonly number[] | undefined;

const NONE: readonly number[] = [];
const NO_POSTINGS: Postings = {};

/** Scores by position, of which only those that were touched are read. */
interface Scores {
  add(at: number, score: number): void;
  /** Keeps the larger one of this score and the one before. */
  raise(at: number, score: number): void;
  read(at: number): number;
  /** Gives every score that is not 0, and sets it to 0. */
  drain(use: (at: number, score: number) => void): void;
}

function createScores(count: number): Scores {
  const scores = new Float64Array(count);
  let touched: number[] = [];
  const set = (at: number, score: number): void => {
    if (scores[at] === 0) touched.push(at);
    scores[at] = score;
  };
  return {
    read: (at) => scores[at] ?? 0,
    add(at, score) {
      if (score > 0) set(at, (scores[at] ?? 0) + score);
    },
    raise(at, score) {
      if (score > (scores[at] ?? 0)) set(at, score);
    },
    drain(use) {
      const positions = touched;
      touched = [];
      for (const at of positions) {
        const score = scores[at] ?? 0;
        scores[at] = 0;
        use(at, score);
      }
    },
  };
}
