/**
 * Finds the known products whose titles are most like the titles of a file's rows, by n-grams of
 * letters, and lets them vote on what a name means. Pure; the result does not depend on the order of
 * the products, unless there are too many to keep.
 */

import { fold } from "../text-keys.ts";

/** A product whose meanings are known: one of the store's listing, ledger, or a search result. */
export interface KnownProduct {
  readonly title: string;
  /** Ids. @default not known */
  readonly category?: string | undefined;
  readonly brand?: string | undefined;
  readonly model?: string | undefined;
}

/** What known products can vote on. */
export type VotedField = "category" | "brand" | "model";

/** One meaning, and how many of the similar products have it. */
export interface Vote {
  /** The id of a category, brand or model. */
  readonly meaning: string;
  /** Similar products that have this meaning. */
  readonly similar: number;
  /** Similar products that have any meaning. */
  readonly of: number;
  /** From 0 to 1: the meaning's share of the likeness, less where few products are alike. */
  readonly weight: number;
}

/** Known products by their titles. */
export interface TitleIndex {
  /**
   * The meanings of the products nearest to any of the titles, best first. Empty where no product is
   * alike, as with titles in another language.
   */
  vote(titles: readonly string[], field: VotedField): readonly Vote[];
  /** Number of products kept: fewer than given where titles repeat or there are too many. */
  readonly size: number;
}

interface TitleIndexOptions {
  /** @default 30,000 */
  readonly maxProducts?: number;
  /** From 0 to 1; products less alike do not vote. @default 0.15 */
  readonly minLikeness?: number;
}

const MAX_PRODUCTS = 30_000;

/** Longer titles are cut: their rest says little, and a hostile one would take long. */
const MAX_TITLE_CHARS = 160;

/** Number of letters in an n-gram; words are padded with a blank at both ends. */
const GRAM = 3;

/** Bits of the number that stands for an n-gram: small integers are the fastest keys. */
const HASH_BITS = 30;

/**
 * N-grams that more than this share of many products have say nothing and cost the most. Those of a
 * thing that much of the store sells, such as rings, say a lot.
 */
const MAX_GRAM_SHARE = 0.5;
const MIN_GRAM_LIMIT = 2_000;

/** Neighbours of one title that vote. */
const NEIGHBOURS = 12;

const MIN_LIKENESS = 0.15;

/** A vote of this much likeness together counts half. */
const HALF_LIKENESS = 0.5;

/**
 * Indexes known products, newest first. Of more than `maxProducts`, as many of each category are
 * kept as fit, so that a large category does not push out the small ones.
 */
export function createTitleIndex(
  products: Iterable<KnownProduct>,
  { maxProducts = MAX_PRODUCTS, minLikeness = MIN_LIKENESS }: TitleIndexOptions = {},
): TitleIndex {
  const kept = keepProducts(products, maxProducts);
  const titles = kept.map(({ title }) => toGrams(title));
  const { lists, norms } = createPostings(titles);
  const scores = new Float32Array(kept.length);

  const findNearest = (title: string, nearest: Map<number, number>): void => {
    const touched: number[] = [];
    let square = 0;
    for (const gram of toGrams(title)) {
      const list = lists.get(gram);
      // An n-gram that no product has is as rare as one that a single product has.
      const weight = list?.weight ?? weigh(1, kept.length);
      square += weight * weight;
      for (const product of list?.products ?? NONE) {
        if (scores[product] === 0) touched.push(product);
        scores[product] = at(scores, product) + weight * weight;
      }
    }
    const norm = Math.sqrt(square);
    const found: Neighbour[] = [];
    for (const product of touched) {
      const likeness = at(scores, product) / (norm * at(norms, product));
      scores[product] = 0;
      if (likeness >= minLikeness) found.push({ product, likeness });
    }
    found.sort((a, b) => b.likeness - a.likeness || a.product - b.product);
    for (const { product, likeness } of found.slice(0, NEIGHBOURS)) {
      nearest.set(product, Math.max(nearest.get(product) ?? 0, likeness));
    }
  };

  return {
    size: kept.length,
    vote(queries, field) {
      const nearest = new Map<number, number>();
      for (const title of queries) findNearest(title, nearest);
      return countVotes(nearest, (product) => kept[product]?.[field]);
    },
  };
}

interface Neighbour {
  readonly product: number;
  readonly likeness: number;
}

function countVotes(
  nearest: ReadonlyMap<number, number>,
  meaningOf: (product: number) => string | undefined,
): readonly Vote[] {
  const sums = new Map<string, { similar: number; likeness: number }>();
  let of = 0;
  let all = 0;
  for (const [product, likeness] of nearest) {
    const meaning = meaningOf(product);
    if (meaning === undefined) continue;
    const sum = sums.get(meaning) ?? { similar: 0, likeness: 0 };
    sums.set(meaning, sum);
    sum.similar += 1;
    sum.likeness += likeness ** 2;
    of += 1;
    all += likeness ** 2;
  }
  return Array.from(sums, ([meaning, { similar, likeness }]): Vote => {
    const weight = (likeness / all) * (likeness / (likeness + HALF_LIKENESS));
    return { meaning, similar, of, weight };
  }).toSorted((a, b) => b.weight - a.weight || compare(a.meaning, b.meaning));
}

/** Each title with its meanings once; in an order that does not depend on the one given. */
function keepProducts(
  products: Iterable<KnownProduct>,
  maxProducts: number,
): readonly KnownProduct[] {
  const distinct = new Map<string, KnownProduct>();
  for (const { title, category, brand, model } of products) {
    const key = `${fold(title.slice(0, MAX_TITLE_CHARS))}\n${category}\n${brand}\n${model}`;
    if (!distinct.has(key)) distinct.set(key, { title, category, brand, model });
  }
  const kept = [...distinct];
  if (kept.length <= maxProducts) return sortByKey(kept);
  const byCategory = Map.groupBy(kept, ([, { category }]) => category);
  const share = findShare(
    Array.from(byCategory.values(), ({ length }) => length),
    maxProducts,
  );
  return sortByKey([...byCategory.values()].flatMap((group) => group.slice(0, share)));
}

const sortByKey = (
  products: readonly (readonly [string, KnownProduct])[],
): readonly KnownProduct[] =>
  products.toSorted(([one], [other]) => compare(one, other)).map(([, product]) => product);

/** The largest number of products of one category with which all fit. */
function findShare(counts: readonly number[], max: number): number {
  let rest = max;
  let share = 0;
  for (const [place, count] of counts.toSorted((a, b) => a - b).entries()) {
    share = Math.floor(rest / (counts.length - place));
    if (count > share) return Math.max(1, share);
    rest -= count;
  }
  return Math.max(1, share);
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The products that have an n-gram, and how much it counts. */
interface GramList {
  readonly products: Uint32Array;
  readonly weight: number;
}

interface Postings {
  readonly lists: ReadonlyMap<number, GramList>;
  /** Length of each title as a vector. */
  readonly norms: Float32Array;
}

const NONE = new Uint32Array(0);

/** How much an n-gram counts that so many of all products have; nothing where it is too frequent. */
function weigh(count: number, all: number): number {
  return count > Math.max(MIN_GRAM_LIMIT, all * MAX_GRAM_SHARE)
    ? 0
    : Math.log(1 + (all + 1) / (count + 1));
}

function createPostings(titles: readonly Uint32Array[]): Postings {
  const counts = new Map<number, number>();
  for (const grams of titles)
    for (const gram of grams) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  const lists = new Map<number, GramList & { size: number }>();
  for (const [gram, count] of counts) {
    const weight = weigh(count, titles.length);
    const products = weight === 0 ? NONE : new Uint32Array(count);
    lists.set(gram, { products, weight, size: 0 });
  }
  const norms = new Float32Array(titles.length);
  for (const [product, grams] of titles.entries()) {
    let square = 0;
    for (const gram of grams) {
      const list = lists.get(gram);
      if (list === undefined || list.weight === 0) continue;
      square += list.weight ** 2;
      list.products[list.size] = product;
      list.size += 1;
    }
    norms[product] = Math.sqrt(square);
  }
  return { lists, norms };
}

/** The distinct n-grams of a title as numbers, sorted. */
function toGrams(title: string): Uint32Array {
  const text = ` ${fold(title.slice(0, MAX_TITLE_CHARS))} `;
  const grams = new Set<number>();
  for (let start = 0; start + GRAM <= text.length; start += 1) {
    // An n-gram over the border of two words depends on their order, which says little.
    if (text[start + 1] === " ") continue;
    let hash = 0;
    for (let place = start; place < start + GRAM; place += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(place), 0x9e_37_79_b1);
    }
    grams.add(hash >>> (32 - HASH_BITS));
  }
  return Uint32Array.from(grams).toSorted();
}

const at = (list: Uint32Array | Float32Array, place: number): number => list[place] ?? 0;
