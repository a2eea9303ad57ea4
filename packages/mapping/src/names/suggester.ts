/**
 * Finds names that are close to a text, by their words: in any order, with typing errors, shortened,
 * with other endings, or without the blanks between. A person chooses among the results; they are
 * never used without asking.
 */

import { distance } from "fastest-levenshtein";
import MiniSearch, { type Query } from "minisearch";

import { fold, lowerTurkish } from "../text-keys.ts";
import { splitPath, toOwnSeparators } from "./name-key.ts";

/** Maximum number of typing errors, and the lengths from which one and two are allowed. */
const MAX_SLIPS = 2;
const MIN_LENGTH_FOR_SLIPS = [3, 5] as const;

/** Longer words are no words, and comparing them takes long. */
const MAX_WORD_LENGTH = 40;

/** Words with this share of their letters at the start in common may differ in their endings. */
const MIN_STEM_SHARE = 0.7;
const MIN_START = 3;

const startOf = (word: string): string =>
  word.slice(0, Math.max(MIN_START, Math.ceil(word.length * MIN_STEM_SHARE)));

/** How alike two words are, from 0 to 1. */
function likenessOf(typed: string, word: string): number {
  if (typed === word) return 1;
  const [shorter, longer] = typed.length < word.length ? [typed, word] : [word, typed];
  const ratio = shorter.length / longer.length;
  const stem = commonStart(typed, word);
  const byStem =
    stem < startOf(shorter).length ? 0 : (0.5 + 0.4 * (stem / longer.length)) * (0.6 + 0.4 * ratio);
  return Math.max(byStem, likenessOfSlips(countSlips(typed, word), longer.length));
}

const likenessOfSlips = (slips: number, length: number): number =>
  Math.max(0, 1 - (1.3 * slips) / length);

/** How many typing errors a word of so many letters may have. */
const allowSlips = (length: number): number =>
  MIN_LENGTH_FOR_SLIPS.filter((min) => length >= min).length;

/** Number of typing errors between two words; `Infinity` for more than their lengths allow. */
function countSlips(typed: string, word: string): number {
  if (typed === word) return 0;
  const length = Math.min(typed.length, word.length);
  const allowed = allowSlips(length);
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
const ABOVE_WEIGHT = 0.3;
const EARLIER_PART_WEIGHT = 0.5;

/** Names with less of their words matched are not suggested. */
const MIN_COVERED = 0.2;

/** Names that share less than this part of the text are not suggested. */
const MIN_SHARED = 0.3;

/** Names that score less than this share of the best one are not suggested. */
const MIN_SHARE_OF_BEST = 0.2;

/** Weight of a word of a title beside one of the text. */
const TITLE_WEIGHT = 0.8;

/** How much more the last word of a name counts than the others. */
const LAST_WORD_WEIGHT = 0.5;

/** Names of which less stands in the titles are not suggested by them. */
const MIN_TITLED = 0.3;

/** Titles that must have a word of a name in common, where none says it clearly. */
const MIN_SUPPORTING = 2;

/** Sizes and numbers of models. */
const NUMBER = /^\d/u;

/** What follows in a title says how the thing is, not what. */
const END_OF_HEAD = /[,(/|]|\s[-–]\s|\s(?:with|for|ile|için)\s/iu;

/** The best results of the search are compared word by word. */
const MIN_COMPARED = 30;

/** Words that join others. */
const JOINING: ReadonlySet<string> = new Set(["ve", "and", "ile"]);

/** A name that a text may mean. */
export interface FoundName {
  /** Position of the name in the list. */
  readonly at: number;
  readonly score: number;
  /** From 0 to 1, how much of the name stands in the text and the titles. */
  readonly covered: number;
  /** Typing errors between the whole text and the whole name; `Infinity` where they are no such. */
  readonly slips: number;
  /** Whether only the titles speak for the name. */
  readonly isByTitles: boolean;
}

/** A title of a product. */
export interface TitleWords {
  readonly text: string;
  /** The words that say what the product is. @default the last word that stands in a name */
  readonly head?: string | undefined;
}

/** What a name is searched by. */
export interface NameQuery {
  /** The text in its parts, of which the last one counts most. */
  readonly parts: readonly string[];
  /** Titles of products that have the name, of which single words count. @default none */
  readonly titles?: readonly TitleWords[] | undefined;
  /** Maximum number of names. @default 3 */
  readonly limit?: number | undefined;
  /**
   * Whether words with other letters are left out, Turkish ones included: `diş` is not `dış`. Other
   * texts mean such a word where no name has their own letters. @default false
   */
  readonly isExact?: boolean | undefined;
}

/** Returns the names that a text may mean, best first. */
export type FindNames = (query: NameQuery) => readonly FoundName[];

/** As {@link createNameFinder}, with the positions of the names only. */
export function createSuggester(
  names: readonly SuggestedName[],
): (parts: readonly string[], limit?: number) => readonly number[] {
  const find = createNameFinder(names);
  return (parts, limit) => find({ parts, limit }).map(({ at }) => at);
}

/** The index is built at the first search, since most lists are never searched. */
export function createNameFinder(names: readonly SuggestedName[]): FindNames {
  let index: NameWords | undefined;
  return ({ parts, titles = [], limit = MAX_SUGGESTIONS, isExact = false }) => {
    const last = parts.at(-1) ?? "";
    const typed: Typed = {
      last: toWords(last).slice(-MAX_SEARCHED_WORDS),
      earlier: parts.slice(0, -1).flatMap(toWords).slice(-MAX_SEARCHED_WORDS),
      titles: [...new Set(titles.flatMap(({ text }) => toTitleWords(text)))].slice(
        0,
        MAX_SEARCHED_WORDS,
      ),
    };
    if (typed.last.length + typed.titles.length === 0) return [];
    index ??= createNameWords(names);
    const { words, search, stems } = index;
    const heads = titles.map((title) => findHead(title, stems));
    const texts = [...parts, ...titles.map(({ text }) => text)];
    const compare = createComparer(typed, {
      titles: titles.map(({ text }, at) => toTitle(text, heads[at] ?? [])),
      letters: toLetters(texts, index, isExact),
    });
    const compared: FoundName[] = [];
    const found = search
      .search(toQuery(typed, { stems, isExact }))
      .slice(0, Math.max(MIN_COMPARED, limit));
    for (const { id: at, score } of found) {
      const { shared, covered, slips, isTitled } = compare(words[at] ?? NO_WORDS);
      const isByTitles = shared < MIN_SHARED;
      if (covered < MIN_COVERED || (isByTitles && !isTitled)) continue;
      const weighed = score * (0.4 + 0.6 * covered) * (2 + shared);
      compared.push({ at, score: weighed, covered, slips, isByTitles });
    }
    const best = compared.reduce((max, { score }) => Math.max(max, score), 0);
    return compared
      .toSorted(byNearness)
      .filter(({ score, slips }) => score >= best * MIN_SHARE_OF_BEST || slips < Infinity)
      .slice(0, limit);
  };
}

/** A name of more words has a larger score, and is not nearer to a text with a typing error. */
function byNearness(one: FoundName, other: FoundName): number {
  if (one.slips !== other.slips) return one.slips - other.slips;
  return other.score - one.score || one.at - other.at;
}

/** The stems of one name and of those above it. */
interface OwnWords {
  readonly own: readonly string[];
  readonly above: readonly string[];
  /** The own stems and those above with their letters; empty where capitals hide which. */
  readonly written: readonly string[];
  /** The name without its blanks. */
  readonly joined: string;
}

const NO_WORDS: OwnWords = { own: [], above: [], written: [], joined: "" };

interface NameWords {
  readonly words: readonly OwnWords[];
  readonly search: MiniSearch;
  /** The stems of all words that stand in a name. */
  readonly stems: ReadonlySet<string>;
  /** The same with their letters, those above included; empty where no name has Turkish ones. */
  readonly written: ReadonlySet<string>;
}

function createNameWords(names: readonly SuggestedName[]): NameWords {
  const words = names.map(({ name, above = [] }): OwnWords => {
    const own = readWords(name);
    const higher = above.flatMap(readWords);
    return {
      own: own.map(({ plain }) => toStem(plain)),
      above: higher.map(({ plain }) => toStem(plain)),
      written: [...own, ...higher].map(toWrittenStem),
      joined: own.map(({ plain }) => plain).join(""),
    };
  });
  const search = new MiniSearch({
    idField: "at",
    fields: ["name", "joined", "parent"],
    tokenize: (text) => text.split(" "),
    processTerm: toStem,
  });
  search.addAll(
    names.map(({ name, above = [] }, at) => {
      // Names further above have so many names below them that they tell none of them.
      const parent = toWords(above.at(-1) ?? "").join(" ");
      return { at, name: toWords(name).join(" "), joined: words[at]?.joined, parent };
    }),
  );
  const written = new Set(words.flatMap((word) => word.written));
  const isPlain = ![...written].some((stem) => TURKISH_LETTER.test(stem));
  return {
    words,
    search,
    stems: new Set(words.flatMap(({ own }) => own)),
    written: isPlain ? new Set() : written,
  };
}

/** Typing errors are looked for in the last part, in words that stand in no name, and in the whole. */
function toQuery(
  { last, earlier, titles }: Typed,
  { stems, isExact }: { stems: ReadonlySet<string>; isExact: boolean },
): Query {
  const unknown = isExact ? [] : last.filter((word) => !stems.has(toStem(word)));
  const starts = unknown.filter(({ length }) => length >= MIN_START).map(startOf);
  const weights = [
    ...last.map(() => 1),
    ...earlier.map(() => EARLIER_PART_WEIGHT),
    ...titles.map(() => TITLE_WEIGHT),
  ];
  return {
    combineWith: "OR",
    queries: [
      {
        queries: [[...last, ...earlier, ...titles].join(" ")],
        fields: ["name", "parent"],
        boost: { name: 1, parent: ABOVE_WEIGHT },
        boostTerm: (_, at) => weights[at] ?? 0,
      },
      {
        queries: isExact ? [] : [last.join("").slice(0, MAX_WORD_LENGTH)],
        fields: ["joined"],
        fuzzy: (word) => allowSlips(word.length),
      },
      { queries: [unknown.join(" ")], fields: ["name"], fuzzy: (word) => allowSlips(word.length) },
      { queries: [starts.join(" ")], fields: ["name", "joined"], prefix: true },
    ],
  };
}

interface Typed {
  readonly last: readonly string[];
  readonly earlier: readonly string[];
  readonly titles: readonly string[];
}

/** The stems of one title. */
interface TitleStems {
  readonly all: ReadonlySet<string>;
  readonly head: ReadonlySet<string>;
}

/** What of a text is compared besides its words. */
interface Compared {
  readonly titles: readonly TitleStems[];
  /** How the stems of a text are written, of those whose letters count. */
  readonly letters: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Stands for a word of other letters, and is like no word. */
const OTHER_LETTERS = "\u0000";

/** Compares a text with names word by word. */
function createComparer({ last, earlier }: Typed, { titles, letters }: Compared) {
  const lastStems = last.map(toStem);
  const earlierStems = earlier.map(toStem);
  const typed = [...lastStems, ...earlierStems];
  const joinedText = last.join("");
  const length = last.length + EARLIER_PART_WEIGHT * earlier.length;
  return (name: OwnWords) => {
    const slips = countSlips(joinedText, name.joined);
    const whole = likenessOfSlips(slips, name.joined.length);
    const nearest = (word: string, others: readonly string[]): number =>
      others.reduce((max, other) => Math.max(max, likenessOf(word, other)), whole);
    const all = [...name.own, ...name.above].map((stem, at) => {
      const written = name.written[at] ?? "";
      const isOther = written !== "" && letters.get(stem)?.has(written) === false;
      return isOther ? OTHER_LETTERS : stem;
    });
    const own = all.slice(0, name.own.length);
    const share = (words: readonly string[], weight: number): number =>
      words.reduce((sum, word) => sum + weight * nearest(word, all), 0);
    const supporting = titles.filter(({ all: stems }) => own.some((stem) => stems.has(stem)));
    const titled = own.filter((stem) => supporting.some(({ all: stems }) => stems.has(stem)));
    const cover = (word: string): number => (titled.includes(word) ? 1 : nearest(word, typed));
    return {
      /** How much of the text stands in the name and above it. */
      shared:
        length === 0
          ? 0
          : (share(lastStems, 1) + share(earlierStems, EARLIER_PART_WEIGHT)) / length,
      /**
       * How much of the name stands in the text and the titles. Its last word says what the thing is
       * and counts more: a table is a `Yemek Masası` rather than a `Masa Örtüsü`.
       */
      covered:
        own.reduce((sum, word) => sum + cover(word), LAST_WORD_WEIGHT * cover(own.at(-1) ?? "")) /
        (own.length + LAST_WORD_WEIGHT),
      /**
       * Whether titles alone say the name: several, one that says what it is, or one with the whole
       * name. One word of one title, as of a cream sofa, says nothing.
       */
      isTitled:
        titled.length >= MIN_TITLED * own.length &&
        (supporting.length >= MIN_SUPPORTING ||
          titled.length === own.length ||
          supporting.some(({ head }) => own.some((stem) => head.has(stem)))),
      // A text of several parts is a path, in which the names above count as well.
      slips: earlier.length > 0 ? Infinity : slips,
    };
  };
}

/** A typed text with one of these was typed with Turkish letters; a capital I tells nothing. */
const TURKISH_LETTER = /[çğıöşüÇĞİÖŞÜ]/u;

/** The letters of a text that names must have. */
function toLetters(
  texts: readonly string[],
  { written: known }: NameWords,
  isExact: boolean,
): Compared["letters"] {
  const letters = new Map<string, Set<string>>();
  if (known.size === 0) return letters;
  for (const text of texts) {
    if (!isExact && !TURKISH_LETTER.test(text)) continue;
    for (const word of readWords(text)) {
      const written = toWrittenStem(word);
      if (written === "" || (!isExact && !known.has(written))) continue;
      const stem = toStem(word.plain);
      const others = letters.get(stem);
      if (others === undefined) letters.set(stem, new Set([written]));
      else others.add(written);
    }
  }
  return letters;
}

const toTitleWords = (text: string): readonly string[] =>
  toWords(text).filter((word) => !NUMBER.test(word));

const toTitle = (text: string, head: readonly string[]): TitleStems => ({
  all: new Set(toTitleWords(text).map(toStem)),
  head: new Set(head),
});

/** The stems that say what the product of a title is. */
function findHead({ text, head }: TitleWords, stems: ReadonlySet<string>): readonly string[] {
  if (head !== undefined) return toTitleWords(head).map(toStem);
  const known = toTitleWords(cutHead(text)).map(toStem);
  return known.filter((stem) => stems.has(stem)).slice(-1);
}

/** The beginning of a title, which ends with what the product is. */
export const cutHead = (title: string): string =>
  title.slice(0, MAX_SEARCHED_CHARS).split(END_OF_HEAD)[0] ?? "";

export const toStem = (word: string): string => word.replace(PLURAL, "").replace(ENDING, "");

/** A word in plain letters, and as it is written; empty where that is not known. */
interface Word {
  readonly plain: string;
  readonly written: string;
}

function readWords(text: string): readonly Word[] {
  const cut = text.slice(0, MAX_SEARCHED_CHARS);
  const typed = cut.match(WORD) ?? [];
  const plain = wordsOf(cut);
  const words = plain.map((word, at): Word => {
    const own = plain.length === typed.length ? (typed[at] ?? "") : "";
    // I is ı in a Turkish word and i in others.
    const isHidden = own.includes("I") && !TURKISH_LETTER.test(own);
    return {
      plain: word.slice(0, MAX_WORD_LENGTH),
      written: isHidden ? "" : lowerTurkish(own).slice(0, MAX_WORD_LENGTH),
    };
  });
  const telling = words.filter(({ plain: word }) => !JOINING.has(word));
  return telling.length === 0 ? words : telling;
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

const toWords = (text: string): readonly string[] => readWords(text).map(({ plain }) => plain);

/** The stem with its letters, as `Ağacı` has `ağaç`; empty where they are not known. */
function toWrittenStem({ plain, written }: Word): string {
  if (written.length !== plain.length) return "";
  const stem = written.slice(0, toStem(plain).length);
  return stem.endsWith("c") && stem.length < written.length ? `${stem.slice(0, -1)}ç` : stem;
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
const ENDING = /(?<=.{3})s[iu]$|(?<=.{4})[ius]$/u;

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
    .map((word) => toStem(word));

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
