/**
 * What the open names of a file may mean, and what speaks for it: earlier answers, similar products on
 * the marketplace and in the store, and the words of the name. A suggestion is for a person to choose;
 * nothing is applied by it.
 */

import { setImmediate } from "node:timers/promises";

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import {
  createLikelyNames,
  type LikelyName,
  type NameIndex,
  type NameIndexes,
  type NamesWithin,
  type TitleIndex,
  type Vote,
} from "@catalog/mapping";
import type { NameSuggestion, OpenNameCount, SuggestionReason } from "@catalog/runs";

import { createEarlierAnswers, type EarlierAnswers } from "./earlier-answers.ts";
import { indexKnownProducts } from "./known-products.ts";
import { createMarketSearch, type SearchOptions } from "./market-search.ts";
import type { FoundName, SuggestNames } from "./open-names.ts";

/** Suggests meanings for the open names of one file. */
export interface NameSuggester {
  /** With what the marketplace was found to say so far. */
  readonly suggest: SuggestNames;
  /** Number of searches of the marketplace that would say more about the names. */
  countSearches(names: readonly FoundName[]): Promise<number>;
  /** Searches the marketplace for the names; a failing search is noted and no error. */
  search(names: readonly FoundName[], options: SearchOptions): Promise<void>;
  /** What was searched on the marketplace, what was not, and why. */
  notes(): readonly Localized[];
  /** Why the marketplace is not searched any more; `undefined` while it is. */
  failure(): Localized | undefined;
}

interface SuggesterOptions {
  readonly connection: Pick<
    Connection,
    "client" | "memory" | "journal" | "baseUrl" | "meters" | "clock"
  >;
  /** Lists of the names; those that the open names lack are fetched already. */
  readonly lists: NameIndexes;
  /** The platform that wrote the file. */
  readonly platform: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const MAX_SUGGESTIONS = 3;

/** Choices of one name in all; those beyond the suggestions are close by their words. */
const MAX_CHOICES = 5;

/** Creates a suggester. It reads the store's products at the first name of which they say something. */
export function createNameSuggester(options: SuggesterOptions): NameSuggester {
  const { connection, lists } = options;
  const market = createMarketSearch(options);
  let products: Promise<TitleIndex> | undefined;
  const known = (): Promise<TitleIndex> => (products ??= indexKnownProducts(connection, lists));
  return {
    countSearches: (names) => market.countCalls(names),
    search: (names, how) => market.search(names, how),
    notes: () => market.notes(),
    failure: () => market.failure(),
    async suggest(names) {
      const byWords = async (name: FoundName): Promise<OpenNameCount> =>
        toCount(name, await withCoverage(lists, name, suggestByWords(name.choices)));
      const isVoted = names.some(({ field }) => VOTED_FIELDS.has(field));
      if (!isVoted) return await mapInOrder(names, byWords);
      const rules = await connection.memory.rules.list();
      const sources: Sources = {
        lists,
        market: async (name) => await market.votes(name),
        products: await known(),
        answers: createEarlierAnswers(rules, options.platform),
      };
      const suggestCategory = await createCategorySuggester(names, sources);
      return await mapInOrder(names, async (name) => {
        if (name.field === "category") return toCount(name, await suggestCategory(name));
        if (!VOTED_FIELDS.has(name.field)) return await byWords(name);
        const suggestions = await suggestOfCategory(name, sources);
        return toCount(name, await withCoverage(lists, name, suggestions));
      });
    },
  };
}

async function mapInOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const pause = createPause();
  for (const item of items) {
    results.push(await work(item));
    await pause();
  }
  return results;
}

/**
 * Says of suggestions for a name of several lists how many of these have them; those for more rows
 * come first. Where not every row was looked at, nothing is said.
 */
async function withCoverage(
  lists: NameIndexes,
  { field, within, rows }: FoundName,
  suggestions: readonly NameSuggestion[],
): Promise<readonly NameSuggestion[]> {
  const seen = within.reduce((sum, list) => sum + list.rows, 0);
  if (within.length < 2 || seen !== rows) return suggestions;
  const covered = suggestions.map(() => ({ lists: 0, rows: 0 }));
  for (const one of within) {
    const list = await readListOf(lists, field, one);
    for (const [at, { target }] of suggestions.entries()) {
      const of = covered[at];
      if (of === undefined || list?.resolve(target).kind !== "found") continue;
      of.lists += 1;
      of.rows += one.rows;
    }
  }
  const order = suggestions.map((_, at) => at);
  return order
    .toSorted((a, b) => (covered[b]?.rows ?? 0) - (covered[a]?.rows ?? 0))
    .flatMap((at) => {
      const [suggestion, { lists: some = 0 } = {}] = [suggestions[at], covered[at]];
      if (suggestion === undefined) return [];
      if (some === within.length) return [suggestion];
      return [{ ...suggestion, coverage: { lists: some, of: within.length } }];
    });
}

const MAX_BUSY_MS = 50;

/** Creates a function that lets other requests be answered where none could be for a while. */
export function createPause(): () => Promise<void> {
  let pausedAtMs = performance.now();
  return async () => {
    if (performance.now() - pausedAtMs < MAX_BUSY_MS) return;
    await setImmediate();
    pausedAtMs = performance.now();
  };
}

/** Fields of which products vote. */
const VOTED_FIELDS: ReadonlySet<string> = new Set(["category", "brand", "brand_model"]);

interface Sources {
  readonly lists: NameIndexes;
  readonly market: (
    name: FoundName,
  ) => Promise<Readonly<Record<"category" | "brand", readonly Vote[]>> | undefined>;
  readonly products: TitleIndex;
  readonly answers: EarlierAnswers;
}

type Suggest = (name: FoundName) => Promise<readonly NameSuggestion[]>;

/** Suggests leaves of the tree. */
async function createCategorySuggester(
  names: readonly FoundName[],
  { lists, market, products, answers }: Sources,
): Promise<Suggest> {
  const tree = await lists.categories();
  const labels = new Map(tree.labels().map(({ id, label }) => [String(id), label]));
  const leaves = tree.items.filter(({ children }) => children.length === 0);
  const likely = createLikelyNames({
    field: "category",
    meanings: leaves.map(({ category, parts }) => ({
      id: category.id,
      name: parts.at(-1) ?? "",
      above: parts.slice(0, -1),
    })),
    texts: names.filter(({ field }) => field === "category").map(({ value }) => value),
    products,
  });
  return async (name) => {
    const earlier = answers.find(name.value).flatMap(({ target, source }) => {
      const found = tree.resolve(target);
      return found.kind === "found" ? [{ id: String(found.item.category.id), source }] : [];
    });
    const found = likely.suggest({
      text: name.value,
      titles: name.titles,
      answers: earlier.map(({ id }) => id),
      market: (await market(name))?.category,
    });
    return found.flatMap(({ id, why }) => {
      const target = labels.get(id);
      const source = earlier.find((answer) => answer.id === id)?.source ?? null;
      return target === undefined ? [] : [{ target, targetId: id, why: toReason(why, source) }];
    });
  };
}

/**
 * Suggests brands or models of the lists that lack the name. Only those are compared that products
 * have or that are close by their words, as the lists are long.
 */
async function suggestOfCategory(
  name: FoundName,
  { lists, market, products }: Sources,
): Promise<readonly NameSuggestion[]> {
  const field = name.field === "brand" ? "brand" : "model";
  const votes = field === "brand" ? ((await market(name))?.brand ?? []) : [];
  const voted = [...votes, ...products.vote(name.titles, field)].map(({ meaning }) => meaning);
  const targets = new Map<string, string>();
  for (const within of name.within) {
    const list = await readListOf(lists, name.field, within);
    if (list !== undefined) noteTargets(targets, list, [...voted, ...name.choices]);
  }
  const likely = createLikelyNames({
    field,
    meanings: Array.from(targets, ([id, target]) => ({ id, name: target })),
    texts: [name.value],
    products,
  });
  const { value: text, titles } = name;
  return likely.suggest({ text, titles, market: votes }).flatMap(({ id, why }) => {
    const target = targets.get(id);
    return target === undefined ? [] : [{ target, targetId: id, why: toReason(why, null) }];
  });
}

/** Adds what the ids and texts name in a list. */
function noteTargets(
  targets: Map<string, string>,
  list: NameIndex<Listed>,
  texts: readonly string[],
): void {
  for (const text of texts) {
    const [item, ...others] = list.find(text);
    const target = item === undefined || others.length > 0 ? undefined : list.textOf(item);
    if (item !== undefined && target !== undefined) targets.set(item.id, target);
  }
}

/** A brand, a model or an option. */
interface Listed {
  readonly id: string;
}

/** The brands, models or options of a category; `undefined` where it has no such list. */
export async function readListOf(
  lists: NameIndexes,
  field: string,
  { category, brand }: NamesWithin,
): Promise<NameIndex<Listed> | undefined> {
  if (field === "brand") return await lists.brands(category);
  if (field === "brand_model") {
    return brand === undefined ? undefined : await lists.models(category, brand);
  }
  const property = (await lists.properties(category)).resolve(field.replace(/^property:/u, ""));
  return property.kind === "found" ? property.item.options : undefined;
}

const toReason = (why: LikelyName["why"], source: string | null): SuggestionReason =>
  why.kind === "answer" ? { kind: "answer", source } : why;

/** Names that are close by their words. */
const suggestByWords = (choices: readonly string[]): readonly NameSuggestion[] =>
  choices
    .slice(0, MAX_SUGGESTIONS)
    .map((target) => ({ target, targetId: null, why: { kind: "words" } }));

/** The targets of the suggestions are the first choices. */
const toCount = (
  { field, column, value, choices, rows, titles, within }: FoundName,
  suggestions: readonly NameSuggestion[],
): OpenNameCount => ({
  field,
  column,
  value,
  choices: [...new Set([...suggestions.map(({ target }) => target), ...choices])].slice(
    0,
    MAX_CHOICES,
  ),
  rows,
  titles,
  suggestions,
  ...(within.length > 1 && { lists: within.length }),
});
