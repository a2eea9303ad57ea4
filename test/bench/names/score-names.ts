/**
 * Measures how often the labelled category of a product is suggested for the category that its shop
 * wrote: cold, where only the tree and other sellers' products are known, and after some products of
 * the shop. A title that is asked about is never among the known ones.
 */

import { readFileSync } from "node:fs";

import { createLikelyNames, createTitleIndex, type KnownProduct } from "@catalog/mapping";
import Papa from "papaparse";

/** A product of a shop, with the category of the tree that a catalog manager would choose. */
export interface LabelledTitle {
  readonly shop: string;
  /** As the shop writes it; empty where it has none. */
  readonly category: string;
  readonly title: string;
  readonly leaf: string;
}

/** A category of the tree. */
interface Leaf {
  /** The whole path. */
  readonly id: string;
  readonly name: string;
  readonly above: readonly string[];
}

const readText = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

const CSV = { header: true, skipEmptyLines: true } as const;

export const readTitles = (): readonly LabelledTitle[] =>
  Papa.parse<LabelledTitle>(readText("titles.csv"), CSV).data;

/** English categories that many shops use, without titles. */
const readTaxonomy = (): readonly Pick<LabelledTitle, "category" | "leaf">[] =>
  Papa.parse<Pick<LabelledTitle, "category" | "leaf">>(readText("taxonomy.csv"), CSV).data;

export const readTree = (): readonly Leaf[] =>
  readText("tree.txt")
    .split("\n")
    .flatMap((line) => {
      const [parent = "", names = ""] = line.split(": ");
      if (names === "") return [];
      const above = parent.split(" > ");
      return names.split(" | ").map((name) => ({ id: `${parent} > ${name}`, name, above }));
    });

/** How many of the names that were asked about had their category first, and among three. */
export interface NameScore {
  readonly asked: number;
  readonly first: number;
  readonly among: number;
}

export const addScores = (scores: readonly NameScore[]): NameScore => ({
  asked: scores.reduce((sum, { asked }) => sum + asked, 0),
  first: scores.reduce((sum, { first }) => sum + first, 0),
  among: scores.reduce((sum, { among }) => sum + among, 0),
});

/** What is known when a shop is asked about. */
interface ShopCase {
  /** Titles of all shops. */
  readonly titles: readonly LabelledTitle[];
  readonly tree: readonly Leaf[];
  readonly shop: string;
  /** Number of the shop's own products that are known. */
  readonly known: number;
  /** Chooses which. */
  readonly seed: number;
  /** Titles to ask about. @default all others */
  readonly maxAsked?: number;
}

/** Known products after which a shop is measured, where as many others remain to ask about. */
export const FULL_KNOWN = 200;
const MIN_ASKED = 40;

/** The same of a small shop: a third of it. */
export function countKnown(titles: readonly LabelledTitle[], shop: string): number {
  const { length } = titles.filter((each) => each.shop === shop);
  return length >= FULL_KNOWN + MIN_ASKED ? FULL_KNOWN : Math.floor(length / 3);
}

export function scoreShop(options: ShopCase): NameScore {
  const { titles, tree, shop, known, seed, maxAsked = Infinity } = options;
  const own = shuffle(
    titles.filter((each) => each.shop === shop),
    seed,
  );
  const asked = own.slice(known).slice(0, maxAsked);
  const search = createMarketSearch(titles.filter((each) => each.shop !== shop));
  const names = createLikelyNames({
    field: "category",
    meanings: tree,
    texts: [...new Set(own.map(({ category }) => category))],
    products: createTitleIndex(own.slice(0, known).map(toKnown)),
  });
  return countRight(asked, ({ category, title }) =>
    names.suggest({
      text: category,
      titles: [title],
      market: createTitleIndex(search(title)).vote([title], "category"),
    }),
  );
}

/** Scores the taxonomy with nothing known but the tree. */
export function scoreTaxonomy(tree: readonly Leaf[]): NameScore {
  const taxonomy = readTaxonomy();
  const texts = taxonomy.map(({ category }) => category);
  const names = createLikelyNames({ field: "category", meanings: tree, texts });
  return countRight(taxonomy, ({ category }) => names.suggest({ text: category }));
}

function countRight<Asked extends { readonly leaf: string }>(
  asked: readonly Asked[],
  suggest: (one: Asked) => readonly { readonly id: string }[],
): NameScore {
  const places = asked.map((one) => suggest(one).findIndex(({ id }) => id === one.leaf));
  return {
    asked: asked.length,
    first: places.filter((place) => place === 0).length,
    among: places.filter((place) => place >= 0).length,
  };
}

const toKnown = ({ title, leaf }: LabelledTitle): KnownProduct => ({ title, category: leaf });

/** Results of one page, as many as a search of the marketplace returns at once. */
const MAX_RESULTS = 20;

/** A marketplace's search by words over the products of other sellers: those that share the most. */
function createMarketSearch(
  products: readonly LabelledTitle[],
): (title: string) => readonly KnownProduct[] {
  const byWord = new Map<string, LabelledTitle[]>();
  for (const product of products) {
    for (const word of toWords(product.title)) {
      const list = byWord.get(word);
      if (list === undefined) byWord.set(word, [product]);
      else list.push(product);
    }
  }
  return (title) => {
    const shared = new Map<LabelledTitle, number>();
    for (const word of toWords(title)) {
      for (const product of byWord.get(word) ?? []) {
        shared.set(product, (shared.get(product) ?? 0) + 1);
      }
    }
    return [...shared]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, MAX_RESULTS)
      .map(([product]) => toKnown(product));
  };
}

const toWords = (title: string): ReadonlySet<string> =>
  new Set(title.toLocaleLowerCase("tr").match(/\p{L}{3,}/gu));

/** The same order for the same seed. */
export function shuffle<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const next = createRandom(seed);
  return items
    .map((item) => ({ item, place: next() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** Numbers from 0 to 1 that follow from the seed (Mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
