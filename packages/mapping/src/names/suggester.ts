/**
 * Finds names that are close to a text, by their words: in any order, with typing errors, shortened,
 * with other endings, or without the blanks between. A person chooses among the results; they are
 * never used without asking.
 */

import { distance } from "fastest-levenshtein";

import { fold } from "../text-keys.ts";
import { splitPath, toOwnSeparators } from "./name-key.ts";

/** A word of the list, and how alike it is: 1 for an equal one, more than 0 for any other. */
interface SimilarWord {
  readonly id: number;
  readonly likeness: number;
}

/** Words by number; a word is added once. */
interface WordList {
  add(word: string): number;
  /** In no particular order. Words added later may be missing. */
  findSimilar(word: string): readonly SimilarWord[];
  readonly size: number;
}

/** A word that is repeated in many texts is looked up once. */
const MAX_KEPT = 5_000;

/** Of more words that are alike, the least alike are left out. */
const MAX_SIMILAR = 60;

/** Words with this many equal first letters are compared, for endings that differ. */
const START_LETTERS = [3, 4] as const;

/** Two typing errors, or one pair of letters in the wrong order, change at most this many pairs. */
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
  return Math.max(byStem, 1 - (1.3 * countSlips(typed, word)) / longer.length);
}

/** Number of typing errors between two words; `Infinity` for more than their lengths allow. */
function countSlips(typed: string, word: string): number {
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

function addTo(lists: WordsByPart, part: string, id: number): void {
  const list = lists.get(part);
  if (list === undefined) lists.set(part, [id]);
  else list.push(id);
}

/** Finds words by pairs of letters, and by their beginnings. */
function createWordIndex(words: readonly string[]): WordIndex {
  const byPair: WordsByPart = new Map();
  const byStart: WordsByPart = new Map();
  for (const [id, word] of words.entries()) {
    for (const pair of pairsOf(word)) addTo(byPair, pair, id);
    for (const length of START_LETTERS) {
      if (word.length >= length) addTo(byStart, word.slice(0, length), id);
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

/**
 * Returns the positions of at most `limit` names that a text may mean, best first. The text is given
 * in its parts, of which the last one counts most.
 */
type Suggester = (parts: readonly string[], limit?: number) => readonly number[];

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
  const words = wordsOf(text);
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
  /** How distinctive a word is, by its number. */
  readonly rarity: readonly number[];
  readonly wordsOf: readonly (readonly string[])[];
}

function scoreNames(names: ScoredList): NameScores {
  /** How distinctive all words of a name are. */
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

/** How a text and names are compared. */
interface NearestNameOptions {
  /** Whether text and names are paths, compared by their last names. */
  readonly isPath: boolean;
}

/** A slip is allowed for each this many letters, at most two. */
const LETTERS_PER_SLIP = 6;

/** Two letters may change places in words of this many letters. */
const MIN_LETTERS_FOR_SWAP = 4;

/** Endings of plurals, then those of compounds; shorter words keep them. */
const PLURAL = /(?<=.{3})l[ae]ri?$/u;
const ENDING = /(?<=.{4})[ius]$/u;

/**
 * The one of these names that is nearest to a text; `undefined` where none is near or several are
 * equally near. A letter may be missing in a short word where there is one name only. The parent in a path must be named above the other name too.
 */
export function findNearestName(
  text: string,
  names: readonly string[],
  { isPath }: NearestNameOptions,
): string | undefined {
  const wanted = readName(text, isPath);
  const isOnly = names.length === 1;
  const near = names
    .map((name) => ({ name, slips: slipsBetween(wanted, readName(name, isPath), isOnly) }))
    .filter(({ slips }) => slips < Infinity);
  const least = Math.min(...near.map(({ slips }) => slips));
  const nearest = near.filter(({ slips }) => slips === least);
  return nearest.length === 1 ? nearest[0]?.name : undefined;
}

interface ComparedName {
  readonly words: readonly string[];
  readonly parent: readonly string[];
  readonly above: ReadonlySet<string>;
}

function readName(text: string, isPath: boolean): ComparedName {
  const parts = isPath ? splitPath(toOwnSeparators(text)) : [text];
  const words = parts.map((part) => toStems(part));
  return {
    words: words.at(-1) ?? [],
    parent: words.at(-2) ?? [],
    above: new Set(words.slice(0, -1).flat()),
  };
}

const toStems = (name: string): readonly string[] =>
  fold(name)
    .split(" ")
    .map((word) => word.replace(PLURAL, "").replace(ENDING, ""));

function slipsBetween(wanted: ComparedName, name: ComparedName, isOnly: boolean): number {
  const isBelow = wanted.parent.length === 0 || wanted.parent.some((word) => name.above.has(word));
  if (!isBelow) return Infinity;
  const [one, other] = [wanted.words.join(""), name.words.join("")];
  if (isOnly && isLetterLeftOut(one, other)) return 1;
  const sorted = [wanted.words, name.words].map((words) => words.toSorted().join(""));
  return Math.min(countNearSlips(one, other), countNearSlips(sorted[0] ?? "", sorted[1] ?? ""));
}

/** Number of typing errors; `Infinity` for more than the words allow, and for other digits. */
function countNearSlips(one: string, other: string): number {
  if (one === other) return 0;
  if (digitsOf(one) !== digitsOf(other)) return Infinity;
  const length = Math.max(one.length, other.length);
  if (length >= MIN_LETTERS_FOR_SWAP && isSwapped(one, other)) return 1;
  const slips = distance(one, other);
  return slips > Math.min(MAX_SLIPS, Math.floor(length / LETTERS_PER_SLIP)) ? Infinity : slips;
}

/** Whether the shorter text is the longer one without one letter, as in `Bosh`. */
function isLetterLeftOut(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  const isOneLess = longer.length - shorter.length === 1 && shorter.length >= MIN_LETTERS_FOR_SWAP;
  return isOneLess && digitsOf(one) === digitsOf(other) && distance(one, other) === 1;
}

/** Whether two neighbouring letters are in the wrong order, and nothing else differs. */
function isSwapped(one: string, other: string): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const swapped = one.slice(0, at) + one.slice(at + 1, at + 2) + one.slice(at, at + 1);
  return swapped + one.slice(at + 2) === other;
}

const digitsOf = (text: string): string => text.replaceAll(/\D/gu, "");

/** How a searched word stands in a name, from the nearest on. */
const RANK = { word: 0, prefix: 1, substring: 2, above: 3, similar: 4 } as const;

/** A substring of fewer letters stands in too many names to distinguish any. */
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
