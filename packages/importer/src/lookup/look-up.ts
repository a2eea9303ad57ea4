/**
 * Finds ids for names of every kind that the marketplace identifies by id, from the cached lists.
 */

import { createNameLists, readCities, type Connection } from "@catalog/connection";
import type { BrandId, CategoryId, City, OrderStatusCode } from "@catalog/contract";
import {
  type CategoryNode,
  createNameIndex,
  createNameIndexes,
  type NameIndex,
  type NameIndexes,
} from "@catalog/mapping";

import { createCityIndex } from "./city-index.ts";
import type { LookupKind } from "./lookup-kinds.ts";
import { createScope, type Scope } from "./lookup-scope.ts";

/** An entry of a list with its id. */
export interface LookupEntry {
  /** The id; empty where the marketplace gave none, as it may for a city. */
  readonly id: string;
  readonly name: string;
  /** Names from the root down, of a category, a city or a district. */
  readonly path?: string;
  /** Values of a property, or districts of a city. */
  readonly options?: readonly { readonly id: string; readonly name: string }[];
}

/** An entry that was found. */
export interface LookupResult extends LookupEntry {
  /**
   * `exact` by the rules for cells of a sheet; `similar` for a person to choose from; `listed`
   * where no text was given.
   */
  readonly match: "exact" | "similar" | "listed";
}

/** The text to find and the scope; names and ids are both accepted. */
export interface LookupQuery {
  readonly kind: LookupKind;
  /** Text to find. @default everything is listed by name */
  readonly text?: string | undefined;
  /** Needed for brands, models and properties. */
  readonly category?: string | undefined;
  /** Needed for models. */
  readonly brand?: string | undefined;
  /** Of categories, only those that take products. @default false */
  readonly areLeaves?: boolean | undefined;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/** Exact results first, then similar ones, best first. */
export interface LookupFindings {
  readonly results: readonly LookupResult[];
  /** Number of all entries, found or not; for cities and districts the number of cities. */
  readonly total: number;
}

/** A list in which names can be found. */
interface LookupList {
  readonly entries: () => readonly LookupEntry[];
  readonly search: (text: string, limit: number) => readonly LookupResult[];
}

interface LookupListSource {
  readonly areLeaves: boolean;
  readonly indexes: NameIndexes;
  readonly scope: Scope;
  readonly cities: () => Promise<readonly City[]>;
  readonly orderStatuses: () => Promise<readonly OrderStatusCode[]>;
}

type OpenLookupList = (source: LookupListSource) => Promise<LookupList>;

/** A new kind needs one more name in `LOOKUP_KINDS` and one more entry here. */
const LOOKUP_LISTS: Readonly<Record<LookupKind, OpenLookupList>> = {
  categories: async ({ indexes, areLeaves }) => {
    const index = await indexes.categories();
    return toLookupList(areLeaves ? onlyLeaves(index) : index, toCategoryEntry);
  },
  brands: async ({ indexes, scope }) =>
    toLookupList(await indexes.brands(await scope.category()), toEntry),
  models: async ({ indexes, scope }) => {
    const category: CategoryId = await scope.category();
    const brand: BrandId = await scope.brand();
    return toLookupList(await indexes.models(category, brand), toEntry);
  },
  properties: async ({ indexes, scope }) =>
    toLookupList(await indexes.properties(await scope.category()), toPropertyEntry),
  templates: async ({ indexes }) =>
    toLookupList(await indexes.templates(), ({ id, template_name }) => ({
      id,
      name: template_name,
    })),
  cities: async ({ cities }) => toLookupList(createCityIndex(await cities()), (city) => city),
  "order-statuses": async ({ orderStatuses }) =>
    toLookupList(indexStatuses(await orderStatuses()), toEntry),
};

/** More hits are asked for than are wanted, as those with categories below them are left out. */
const onlyLeaves = (index: Searchable<CategoryNode>): Searchable<CategoryNode> => ({
  items: index.items.filter(isLeaf),
  search: (text, limit) =>
    index
      .search(text, limit * LEAF_SEARCH)
      .filter(({ item }) => isLeaf(item))
      .slice(0, limit),
});

const LEAF_SEARCH = 5;
const isLeaf = ({ children }: CategoryNode): boolean => children.length === 0;

/** The code is the id, and its description the name. */
const indexStatuses = (statuses: readonly OrderStatusCode[]): NameIndex<LookupEntry> =>
  createNameIndex({
    items: statuses.map(({ code, description }) => ({
      id: String(code),
      name: description ?? String(code),
    })),
    id: ({ id }) => id,
    name: ({ name }) => name,
    idPattern: /^\d+$/u,
  });

/**
 * Finds a text. Throws `InputError` when the category or brand of the scope is missing, unknown or
 * ambiguous; candidates are named.
 */
export async function findByName(
  connection: Pick<Connection, "client" | "memory" | "baseUrl">,
  { kind, text, category, brand, areLeaves = false, limit, signal }: LookupQuery,
): Promise<LookupFindings> {
  const {
    client,
    memory: { names: cache },
    baseUrl,
  } = connection;
  const source = { client, cache, baseUrl, signal };
  const indexes = createNameIndexes(createNameLists(source));
  const scope = createScope(indexes, { kind, category, brand });
  const imageSource = await LOOKUP_LISTS[kind]({
    indexes,
    scope,
    areLeaves,
    cities: () => readCities(source),
    // Not cached: the list is short, and asked for seldom.
    orderStatuses: () => client.order.statusCodes({}, signal === undefined ? {} : { signal }),
  });
  const entries = imageSource.entries();
  const results =
    text === undefined
      ? list(entries, limit, ORDERS[kind] ?? BY_NAME)
      : imageSource.search(text, limit);
  return { results, total: entries.length };
}

type Order = (a: LookupEntry, b: LookupEntry) => number;

const COLLATOR = new Intl.Collator("tr", { numeric: true });

const BY_NAME: Order = (a, b) => COLLATOR.compare(a.path ?? a.name, b.path ?? b.name);

/** Codes are what people look for in a list of codes. */
const ORDERS: Readonly<Partial<Record<LookupKind, Order>>> = {
  "order-statuses": (a, b) => COLLATOR.compare(a.id, b.id),
};

function list(
  entries: readonly LookupEntry[],
  limit: number,
  order: Order,
): readonly LookupResult[] {
  return entries
    .toSorted(order)
    .slice(0, limit)
    .map((entry) => Object.assign({}, entry, { match: "listed" as const }));
}

interface Searchable<T> {
  readonly items: readonly T[];
  search: NameIndex<T>["search"];
}

function toLookupList<T>(index: Searchable<T>, describe: (item: T) => LookupEntry): LookupList {
  return {
    entries: () => index.items.map((item) => describe(item)),
    search: (text, limit) =>
      index.search(text, limit).map(({ item, match }) => Object.assign(describe(item), { match })),
  };
}

const toCategoryEntry = ({ category: { id, name }, path }: CategoryNode): LookupEntry => ({
  id,
  name,
  path,
});

const toEntry = ({ id, name }: LookupEntry): LookupEntry => ({ id, name });

function toPropertyEntry({
  property,
  options,
}: Awaited<ReturnType<NameIndexes["properties"]>>["items"][number]): LookupEntry {
  const values = options.items.map(({ id, display_name }) => ({ id, name: display_name }));
  return { id: property.id, name: property.name, options: values };
}
