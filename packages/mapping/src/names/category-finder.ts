/**
 * Finds categories by words, in a tree that may be in another language than the text. Names that
 * share only letters with a text, such as `Tablet` with "Tables", are slips within one language and
 * mean nothing across two.
 */

import { fold } from "../text-keys.ts";
import { lazy } from "./name-index.ts";
import { createShopWords } from "./shop-words.ts";
import {
  createNameFinder,
  cutHead,
  type FoundName,
  MAX_SUGGESTIONS,
  type SuggestedName,
  type TitleWords,
  toStem,
} from "./suggester.ts";

/** Whether texts are in the language of the tree. */
type Language = "own" | "foreign";

/** Finds categories of one tree. */
export interface CategoryFinder {
  /** Best first, those for other people last. */
  find(query: CategoryQuery): readonly FoundName[];
  /** The language of all these texts together; `undefined` where their words do not tell. */
  judge(texts: readonly string[]): Language | undefined;
  /**
   * Tells which categories are for other people than those that a path names: those for men, where
   * it names women.
   */
  findOthers(query: Pick<CategoryQuery, "parts" | "language">): (at: number) => boolean;
}

interface CategoryQuery {
  /** The names of a path; a single one for a name. */
  readonly parts: readonly string[];
  /** Titles of products in the category. @default none */
  readonly titles?: readonly string[];
  /** @default 3 */
  readonly limit?: number;
  /** @default judged by the parts and titles */
  readonly language?: Language | undefined;
}

/** Of this many words some are in the tree, if they are in its language. */
const MIN_TELLING_WORDS = 10;
const MIN_KNOWN_SHARE = 0.15;

/** Shorter words are in many languages. */
const MIN_WORD_LENGTH = 3;

/** The indexes are built at the first search. */
export function createCategoryFinder(names: readonly SuggestedName[]): CategoryFinder {
  const find = createNameFinder(names);
  const shopWords = lazy(() => createShopWords());
  const known = lazy(
    () =>
      new Set(
        names.flatMap(({ name, above = [] }) => [...above, name].flatMap(toWords)).map(toStem),
      ),
  );
  const judge = (texts: readonly string[]): Language | undefined => {
    const words = new Set(texts.flatMap(toWords));
    let own = 0;
    let english = 0;
    for (const word of words) {
      const isOwn = known().has(toStem(word));
      const isEnglish = shopWords().isKnown(word);
      // A word of both languages, such as "tablet", speaks for neither.
      if (isOwn && !isEnglish) own += 1;
      if (isEnglish && !isOwn) english += 1;
    }
    const isStrange = words.size >= MIN_TELLING_WORDS && own < MIN_KNOWN_SHARE * words.size;
    if (english > own || isStrange) return "foreign";
    return own > 0 ? "own" : undefined;
  };
  const translate = (text: string): readonly string[] =>
    shopWords().translate(fold(text).split(" "));
  const toTitle = (title: string): TitleWords => {
    const words = translate(title);
    if (words.length === 0) return { text: title };
    return { text: words.join(" "), head: translate(cutHead(title)).at(-1) ?? "" };
  };
  const findIn = ({ parts, titles = [], limit, language }: CategoryQuery): readonly FoundName[] => {
    if (language === "foreign") {
      const read = (text: string): string => translate(text).join(" ") || text;
      return find({ parts: parts.map(read), titles: titles.map(toTitle), limit, isExact: true });
    }
    const typed = titles.map((text) => ({ text }));
    const last = language === undefined ? translate(parts.at(-1) ?? "").join(" ") : "";
    if (last === "") return find({ parts, titles: typed, limit });
    // A word of both languages, such as "ring", may mean either.
    const both = [...parts.slice(0, -1), `${parts.at(-1)} ${last}`];
    return find({ parts: both, titles: typed, limit, isExact: true });
  };
  const audiences = new Map<number, Audience>();
  const audienceOf = (at: number): Audience => {
    const { name, above = [] } = names[at] ?? { name: "" };
    const audience = audiences.get(at) ?? readAudience([...above, name]);
    audiences.set(at, audience);
    return audience;
  };
  const findOthers: CategoryFinder["findOthers"] = ({ parts, language = judge(parts) }) => {
    const named = language === "own" ? parts : [...parts, ...parts.flatMap(translate)];
    const wanted = readAudience(named);
    if (wanted.genders.size + wanted.ages.size === 0) return () => false;
    return (at) => isOther(wanted, audienceOf(at));
  };
  return {
    judge,
    findOthers,
    find({ parts, titles = [], limit, language = judge([...parts, ...titles]) }) {
      const isForOthers = findOthers({ parts, language });
      // Those that come last must not take the places of others.
      const found = findIn({ parts, titles, limit: Math.max(limit ?? 0, MIN_ORDERED), language });
      return found
        .toSorted((one, other) => Number(isForOthers(one.at)) - Number(isForOthers(other.at)))
        .slice(0, limit ?? MAX_SUGGESTIONS);
    },
  };
}

const MIN_ORDERED = 10;

/** The people for whom a thing is; empty sets for anybody. */
interface Audience {
  readonly genders: ReadonlySet<string>;
  readonly ages: ReadonlySet<string>;
}

/** Folded words that name people. */
const MALE: ReadonlySet<string> = new Set(["erkek", "bay", "unisex"]);
const FEMALE: ReadonlySet<string> = new Set(["kadin", "bayan", "kiz", "unisex"]);
const CHILD: ReadonlySet<string> = new Set(["cocuk", "bebek", "kiz"]);
const ADULT: ReadonlySet<string> = new Set(["yetiskin", "anne", "hamile"]);

/** A gender without a child, as in `Erkek > Gömlek`, is one of adults. */
function readAudience(parts: readonly string[]): Audience {
  const words = parts.flatMap((part) => fold(part).split(" ")).map(toStem);
  const names = (people: ReadonlySet<string>): boolean => words.some((word) => people.has(word));
  const genders = [...(names(MALE) ? ["male"] : []), ...(names(FEMALE) ? ["female"] : [])];
  const isChild = names(CHILD);
  const isAdult = names(ADULT) || (genders.length > 0 && !isChild);
  return {
    genders: new Set(genders),
    ages: new Set([...(isChild ? ["child"] : []), ...(isAdult ? ["adult"] : [])]),
  };
}

const isOther = (one: Audience, other: Audience): boolean =>
  isApart(one.genders, other.genders) || isApart(one.ages, other.ages);

const isApart = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size > 0 && other.size > 0 && ![...one].some((each) => other.has(each));

const toWords = (text: string): readonly string[] =>
  fold(text)
    .split(" ")
    .filter((word) => word.length >= MIN_WORD_LENGTH);
