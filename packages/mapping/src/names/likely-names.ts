/**
 * Suggests what the open names of a file may mean: by an earlier answer, by similar products on the
 * marketplace and in the store, and by the words of the name. Each suggestion has its reason. Pure;
 * a suggestion is for a person to choose and is never applied.
 */

import { createCategoryFinder } from "./category-finder.ts";
import { splitPath, toOwnSeparators } from "./name-key.ts";
import {
  createNameFinder,
  type FoundName,
  MAX_SUGGESTIONS,
  type SuggestedName,
} from "./suggester.ts";
import type { TitleIndex, Vote, VotedField } from "./title-index.ts";

/** Why a meaning is suggested: the strongest of the reasons that it has. */
export type Why =
  /** An earlier answer for this text, of another file, column or platform. */
  | { readonly kind: "answer" }
  /** `similar` of the `of` products on the marketplace with like titles have this meaning. */
  | { readonly kind: "market"; readonly similar: number; readonly of: number }
  /** `similar` of the `of` products in the store with like titles have this meaning. */
  | { readonly kind: "store"; readonly similar: number; readonly of: number }
  /** The words of the text stand in the name or its path. */
  | { readonly kind: "words" }
  /** Only words of the titles stand in the name. */
  | { readonly kind: "titles" };

/** A meaning that a text may have. */
export interface LikelyName {
  /** One of the ids given. */
  readonly id: string;
  readonly why: Why;
}

/** A category, brand, model or other value that a text may mean. */
export interface NameMeaning extends SuggestedName {
  readonly id: string;
}

interface LikelyNamesOptions {
  /**
   * What the names are. Categories are read as paths, and names that share only letters with one
   * are left out where the file is in another language; brands and models have no language.
   */
  readonly field: VotedField | "other";
  /** The meanings to choose from. Of categories, the leaves. */
  readonly meanings: readonly NameMeaning[];
  /** All open texts of the file for this field, by which its language is judged. */
  readonly texts: readonly string[];
  /** The store's products. @default none */
  readonly products?: TitleIndex | undefined;
}

/** One open name of a file. */
export interface OpenText {
  readonly text: string;
  /** Titles of rows that have the text. @default none */
  readonly titles?: readonly string[] | undefined;
  /** Ids that earlier answers gave to the text, best first. @default none */
  readonly answers?: readonly string[] | undefined;
  /**
   * What the results of a search on the marketplace vote for the titles (`TitleIndex.vote`), so that
   * nonsense counts nothing. @default none
   */
  readonly market?: readonly Vote[] | undefined;
}

/** Suggests meanings for open names of one field. */
export interface LikelyNames {
  /** At most three meanings, best first; none where nothing speaks for any. */
  suggest(open: OpenText): readonly LikelyName[];
}

/**
 * How much each source counts beside the others. Measured with the labelled titles of
 * `test/bench/names`: twice or half of one changes the names found among three by less than 1 %.
 */
const WEIGHT = { answer: 10, market: 2, store: 3, words: 1.5 } as const;

/** Names that words alone may add to those of the other sources. */
const MAX_BY_WORDS = 10;

/** Builds the indexes of one field once, for all open names of a file. */
export function createLikelyNames(options: LikelyNamesOptions): LikelyNames {
  const { field, meanings, products } = options;
  const known = new Set(meanings.map(({ id }) => id));
  const byWords = createWordSuggester(options);
  return {
    suggest({ text, titles = [], answers = [], market = [] }) {
      const scores = new Map<string, Reason[]>();
      const note = (id: string, score: number, why: Why): void => {
        if (!known.has(id) || score <= 0) return;
        const reasons = scores.get(id);
        if (reasons === undefined) scores.set(id, [{ score, why }]);
        else reasons.push({ score, why });
      };
      for (const [place, id] of answers.entries()) {
        note(id, WEIGHT.answer - place, { kind: "answer" });
      }
      if (field !== "other") {
        for (const { meaning, similar, of, weight } of market) {
          note(meaning, WEIGHT.market * weight, { kind: "market", similar, of });
        }
        for (const { meaning, similar, of, weight } of products?.vote(titles, field) ?? []) {
          note(meaning, WEIGHT.store * weight, { kind: "store", similar, of });
        }
      }
      const { found, isForOthers } = byWords(text, titles);
      for (const { id, score, kind } of found) note(id, WEIGHT.words * score, { kind });
      return rank(scores, isForOthers);
    },
  };
}

interface Reason {
  readonly score: number;
  readonly why: Why;
}

/** A category for other people comes after all that are not, unless a person answered with it. */
function rank(
  scores: ReadonlyMap<string, readonly Reason[]>,
  isForOthers: (id: string) => boolean,
): readonly LikelyName[] {
  return Array.from(scores, ([id, reasons]) => ({
    id,
    score: reasons.reduce((sum, { score }) => sum + score, 0),
    strongest: reasons.reduce((best, reason) => (reason.score > best.score ? reason : best)),
    isLast: isForOthers(id) && !reasons.some(({ why }) => why.kind === "answer"),
  }))
    .toSorted(
      (a, b) => Number(a.isLast) - Number(b.isLast) || b.score - a.score || (a.id < b.id ? -1 : 1),
    )
    .slice(0, MAX_SUGGESTIONS)
    .map(({ id, strongest }) => ({ id, why: strongest.why }));
}

/** Meanings by the words of a text and of titles, with scores of at most 1. */
type SuggestByWords = (
  text: string,
  titles: readonly string[],
) => {
  readonly found: readonly {
    readonly id: string;
    readonly score: number;
    readonly kind: "words" | "titles";
  }[];
  readonly isForOthers: (id: string) => boolean;
};

function createWordSuggester({ field, meanings, texts }: LikelyNamesOptions): SuggestByWords {
  const find = field === "category" ? findCategories(meanings, texts) : findNames(meanings);
  const places = new Map(meanings.map(({ id }, at) => [id, at]));
  return (text, titles) => {
    const { found, isForOthers } = find(text, titles);
    const best = found.reduce((max, { score }) => Math.max(max, score), 0);
    return {
      found: found.map(({ at, score, covered, isByTitles }) => ({
        id: meanings[at]?.id ?? "",
        score: (score / best) * (0.3 + 0.7 * covered),
        kind: isByTitles ? "titles" : "words",
      })),
      isForOthers: (id) => isForOthers(places.get(id) ?? -1),
    };
  };
}

type FindByWords = (
  text: string,
  titles: readonly string[],
) => {
  readonly found: readonly FoundName[];
  readonly isForOthers: (at: number) => boolean;
};

/** The language of the file is that of all its names; of a file without any, that of each title. */
function findCategories(meanings: readonly NameMeaning[], texts: readonly string[]): FindByWords {
  const finder = createCategoryFinder(meanings);
  const language = finder.judge(texts);
  return (text, titles) => {
    const parts = splitPath(toOwnSeparators(text));
    return {
      found: finder.find({ parts, titles, limit: MAX_BY_WORDS, language }),
      isForOthers: finder.findOthers({ parts, language }),
    };
  };
}

function findNames(meanings: readonly NameMeaning[]): FindByWords {
  const find = createNameFinder(meanings);
  return (text) => ({ found: find({ parts: [text] }), isForOthers: () => false });
}
