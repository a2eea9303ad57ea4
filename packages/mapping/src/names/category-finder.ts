/**
 * Finds categories by words, in a tree that may be in another language than the text. Names that
 * share only letters with a text, such as `Tablet` with "Tables", are slips within one language and
 * mean nothing across two.
 */

import { fold } from "../text-keys.ts";
import { lazy } from "./name-index.ts";
import { createShopWords } from "./shop-words.ts";
import { createNameFinder, type FoundName, type SuggestedName, toStem } from "./suggester.ts";

/** Whether texts are in the language of the tree. */
type Language = "own" | "foreign";

/** Finds categories of one tree. */
export interface CategoryFinder {
  /** Best first. */
  find(query: CategoryQuery): readonly FoundName[];
  /** The language of all these texts together; `undefined` where their words do not tell. */
  judge(texts: readonly string[]): Language | undefined;
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
  const translate = (text: string): string =>
    shopWords().translate(fold(text).split(" ")).join(" ");
  return {
    judge,
    find({ parts, titles = [], limit, language = judge([...parts, ...titles]) }) {
      const last = language === undefined ? translate(parts.at(-1) ?? "") : "";
      if (language === "foreign") {
        const read = (text: string): string => translate(text) || text;
        return find({ parts: parts.map(read), titles: titles.map(read), limit, isExact: true });
      }
      if (last === "") return find({ parts, titles, limit });
      // A word of both languages, such as "ring", may mean either.
      const both = [...parts.slice(0, -1), `${parts.at(-1)} ${last}`];
      return find({ parts: both, titles, limit, isExact: true });
    },
  };
}

const toWords = (text: string): readonly string[] =>
  fold(text)
    .split(" ")
    .filter((word) => word.length >= MIN_WORD_LENGTH);
