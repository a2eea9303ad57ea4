/**
 * Suggests what the open names of a file may mean: by an earlier answer, by similar products on the
 * marketplace and in the store, and by the words of the name. Each suggestion has its reason. Pure;
 * a suggestion is for a person to choose and is never applied.
 */

import MiniSearch from "minisearch";

import { fold } from "../text-keys.ts";
import { splitPath, toOwnSeparators } from "./name-key.ts";
import { createSuggester, MAX_SUGGESTIONS, type SuggestedName } from "./suggester.ts";
import {
  createTitleIndex,
  type KnownProduct,
  type TitleIndex,
  type VotedField,
} from "./title-index.ts";

/** Why a meaning is suggested: the strongest of the reasons that it has. */
export type Why =
  /** An earlier answer for this text, of another file, column or platform. */
  | { readonly kind: "answer" }
  /** `similar` of the `of` products on the marketplace with like titles have this meaning. */
  | { readonly kind: "market"; readonly similar: number; readonly of: number }
  /** `similar` of the `of` products in the store with like titles have this meaning. */
  | { readonly kind: "store"; readonly similar: number; readonly of: number }
  /** The words of the text stand in the name or its path. */
  | { readonly kind: "words" };

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
   * Results of a search on the marketplace by title words. They count as far as their titles are
   * like those of the rows, so that nonsense counts nothing. @default none
   */
  readonly results?: readonly KnownProduct[] | undefined;
}

/** Suggests meanings for open names of one field. */
export interface LikelyNames {
  /** At most three meanings, best first; none where nothing speaks for any. */
  suggest(open: OpenText): readonly LikelyName[];
}

/** How much each source counts beside the others. */
const WEIGHT = { answer: 10, market: 3, store: 3, words: 2 } as const;

/** Score of the first, second and third name that words suggest. */
const WORD_RANKS = [1, 0.6, 0.4] as const;

/** Score of names that stand in a title, beside those that the text itself suggests. */
const TITLE_WORDS = 0.4;

/** Builds the indexes of one field once, for all open names of a file. */
export function createLikelyNames(options: LikelyNamesOptions): LikelyNames {
  const { field, meanings, products } = options;
  const known = new Set(meanings.map(({ id }) => id));
  const byWords = createWordSuggester(options);
  return {
    suggest({ text, titles = [], answers = [], results = [] }) {
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
        const market = createTitleIndex(results).vote(titles, field);
        for (const { meaning, similar, of, weight } of market) {
          note(meaning, WEIGHT.market * weight, { kind: "market", similar, of });
        }
        for (const { meaning, similar, of, weight } of products?.vote(titles, field) ?? []) {
          note(meaning, WEIGHT.store * weight, { kind: "store", similar, of });
        }
      }
      for (const { id, score } of byWords(text, titles)) {
        note(id, WEIGHT.words * score, { kind: "words" });
      }
      return rank(scores);
    },
  };
}

interface Reason {
  readonly score: number;
  readonly why: Why;
}

function rank(scores: ReadonlyMap<string, readonly Reason[]>): readonly LikelyName[] {
  return Array.from(scores, ([id, reasons]) => ({
    id,
    score: reasons.reduce((sum, { score }) => sum + score, 0),
    strongest: reasons.reduce((best, reason) => (reason.score > best.score ? reason : best)),
  }))
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ id, strongest }) => ({ id, why: strongest.why }));
}

/** Meanings by the words of a text and of titles, with scores of at most 1. */
type SuggestByWords = (
  text: string,
  titles: readonly string[],
) => readonly { readonly id: string; readonly score: number }[];

function createWordSuggester({ field, meanings }: LikelyNamesOptions): SuggestByWords {
  const suggest = createSuggester(meanings);
  const search = new MiniSearch<NameMeaning>({
    fields: ["name", "above"],
    extractField: (meaning, key) =>
      key === "id" ? meaning.id : key === "name" ? meaning.name : (meaning.above ?? []).join(" "),
    tokenize: (text) => fold(text).split(" "),
    processTerm: (word) => (word === "" ? null : word),
  });
  search.addAll(field === "category" ? meanings : []);
  return (text, titles) => {
    const parts = field === "category" ? splitPath(toOwnSeparators(text)) : [text];
    const named = suggest(parts).map((position, at) => ({
      id: meanings[position]?.id ?? "",
      score: WORD_RANKS[at] ?? 0,
    }));
    if (field !== "category") return named;
    const title = titles.map((each) => each.slice(0, MAX_TITLE_CHARS)).join(" ");
    const found = search.search(title, { boost: { name: 2 } }).slice(0, MAX_SUGGESTIONS);
    const best = found[0]?.score ?? 1;
    return [
      ...named,
      ...found.map(({ id, score }) => ({ id: String(id), score: (TITLE_WORDS * score) / best })),
    ];
  };
}

const MAX_TITLE_CHARS = 160;
