/** Finds ids for names of every kind that the marketplace identifies by id, from the cached lists. */

import {
  type Connection,
  createNameLists,
  readAddresses,
  readCities,
  readCompanies,
} from "@catalog/connection";
import type { City, DataOf, Id } from "@catalog/contract";
import { InputError, type Localized } from "@catalog/i18n";
import {
  createNameIndex,
  createNameIndexes,
  type NameIndex,
  type NameIndexes,
} from "@catalog/mapping";

import type { LookupKind } from "./lookup-kinds.ts";

/** An entry of a list with its id. */
interface LookupEntry {
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
  readonly orderStatuses: () => Promise<DataOf<"order.statusCodes">>;
  readonly companies: () => Promise<DataOf<"shipping.companies">>;
  readonly addresses: () => ReturnType<typeof readAddresses>;
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
    const category: Id<"category"> = await scope.category();
    const brand: Id<"brand"> = await scope.brand();
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
  companies: async ({ companies }) => toLookupList(indexEntries(await companies()), toEntry),
  addresses: async ({ addresses }) =>
    toLookupList(indexEntries((await addresses()).flatMap(toAddressEntry)), toEntry),
  "order-statuses": async ({ orderStatuses }) =>
    toLookupList(indexStatuses(await orderStatuses()), toEntry),
};

const indexEntries = (items: readonly LookupEntry[]): NameIndex<LookupEntry> =>
  createNameIndex({ items, id: ({ id }) => id, name: ({ name }) => name });

/** Addresses without an id cannot be named by one. */
const toAddressEntry = ({
  id,
  name = id,
}: Awaited<ReturnType<typeof readAddresses>>[number]): readonly LookupEntry[] =>
  id === undefined || name === undefined ? [] : [{ id, name }];

/** More hits are asked for than are wanted, as those with categories below them are left out. */
type CategoryNode = Awaited<ReturnType<NameIndexes["categories"]>>["items"][number];

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
const indexStatuses = (statuses: DataOf<"order.statusCodes">): NameIndex<LookupEntry> =>
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
    companies: () => readCompanies(client, { contracted: false, signal }),
    addresses: () => readAddresses(client, signal),
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

/** Each method throws `InputError` when its part is missing or does not name one entry. */
export interface Scope {
  category(): Promise<Id<"category">>;
  /** The category, or all leaves below it. */
  leaves(): Promise<readonly Id<"category">[]>;
  brand(): Promise<Id<"brand">>;
}

interface ScopeOptions {
  /** The kind that is searched, for error messages. */
  readonly kind: string;
  readonly category: string | undefined;
  readonly brand: string | undefined;
}

export function createScope(indexes: NameIndexes, options: ScopeOptions): Scope {
  const { kind } = options;
  const category = async (): Promise<Id<"category">> => {
    const text = needFlag("category", kind, options.category);
    const resolution = (await indexes.categories()).resolve(text);
    if (resolution.kind === "not-leaf") {
      const below = resolution.node.children.map((node) => toLine(node.category.id, node.path));
      throw notLeaf(text, below);
    }
    const label = CATEGORY_LABEL;
    return resolveScope({ flag: "category", text, resolution, label }).category.id;
  };
  return {
    category,
    async leaves() {
      const text = needFlag("category", kind, options.category);
      const resolution = (await indexes.categories()).resolve(text);
      return resolution.kind === "not-leaf" ? listLeaves(resolution.node) : [await category()];
    },
    async brand() {
      const text = needFlag("brand", kind, options.brand);
      const resolution = (await indexes.brands(await category())).resolve(text);
      return resolveScope({ flag: "brand", text, resolution, label: BRAND_LABEL }).id;
    },
  };
}

const listLeaves = ({ category, children }: CategoryNode): readonly Id<"category">[] =>
  children.length === 0 ? [category.id] : children.flatMap(listLeaves);

const toLine = (id: string, path: string): string => `${id}  ${path}`;

const CATEGORY_LABEL = (node: {
  readonly category: { readonly id: string };
  readonly path: string;
}): string => toLine(node.category.id, node.path);

const BRAND_LABEL = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  toLine(id, name);

type Flag = "category" | "brand";

const FLAG_TEXTS = {
  category: { tr: "kategori", en: "category" },
  brand: { tr: "marka", en: "brand" },
} as const;

/** The Turkish words for "by" and "in" a category or brand. */
const CASES_TR = {
  category: { by: "kategoriye", in: "kategoride" },
  brand: { by: "markaya", in: "markada" },
} as const;

/** What is listed by category or brand, as the beginning of a sentence. */
const LISTED: Readonly<Record<string, Localized>> = {
  brands: { tr: "Markalar", en: "Brands" },
  models: { tr: "Modeller", en: "Models" },
  properties: { tr: "Özellikler", en: "Properties" },
};

const SEARCHES = {
  category: {
    tr: "catalog lookup categories bardak",
    en: "catalog lookup categories bardak",
  },
  brand: {
    tr: 'catalog lookup brands --category "…"',
    en: 'catalog lookup brands --category "…"',
  },
} as const;

function needFlag(flag: Flag, kind: string, given: string | undefined): string {
  if (given !== undefined) return given;
  const { en } = FLAG_TEXTS[flag];
  const turkish = CASES_TR[flag];
  const listed = LISTED[kind] ?? { tr: kind, en: kind };
  const search = SEARCHES[flag];
  throw new InputError({
    tr: `${listed.tr} ${turkish.by} göre listelenir. Hangi ${turkish.in} aranacağını adıyla ya da kimliğiyle yazın: --${flag} "…"\nAramak için: ${search.tr}`,
    en: `${listed.en} are listed by ${en}. Give the name or id of the ${en} to search in: --${flag} "…"\nTo find it: ${search.en}`,
  });
}

interface Question<T> {
  readonly flag: Flag;
  readonly text: string;
  readonly resolution: ReturnType<NameIndex<T>["resolve"]>;
  readonly label: (item: T) => string;
}

function resolveScope<T>({ flag, text, resolution, label }: Question<T>): T {
  if (resolution.kind === "found") return resolution.item;
  const { tr, en } = FLAG_TEXTS[flag];
  if (resolution.kind === "ambiguous") {
    const lines = toLines(resolution.candidates.map((item) => label(item)));
    throw new InputError({
      tr: `--${flag} "${text}" birden çok ${tr} olabilir. Kimliğini verin:${lines}`,
      en: `--${flag} "${text}" may be more than one ${en}. Give its id:${lines}`,
    });
  }
  const lines = toLines(resolution.suggestions.map((item) => label(item)));
  const search = SEARCHES[flag];
  throw new InputError({
    tr: `--${flag} "${text}" adında bir ${tr} yok.${lines === "" ? " " : ` Benzerleri:${lines}\n`}Aramak için: ${search.tr}`,
    en: `There is no ${en} called "${text}" (--${flag}).${lines === "" ? " " : ` Similar ones:${lines}\n`}To search: ${search.en}`,
  });
}

function notLeaf(text: string, below: readonly string[]): InputError {
  const lines = toLines(below);
  return new InputError({
    tr: `--category "${text}" bir üst kategori. Altındakilerden birini verin:${lines}`,
    en: `--category "${text}" has other categories below it. Give one of those:${lines}`,
  });
}

const MAX_LINES = 20;

function toLines(lines: readonly string[]): string {
  const shown = lines.slice(0, MAX_LINES).map((line) => `\n  ${line}`);
  return shown.join("") + (lines.length > MAX_LINES ? "\n  …" : "");
}

/** A city or a district. */
interface CityEntry {
  /** The id; empty where the marketplace gave none. */
  readonly id: string;
  readonly name: string;
  /** Name of the city, followed by that of the district. */
  readonly path: string;
  /** Districts of a city. */
  readonly options?: readonly { readonly id: string; readonly name: string }[];
}

/**
 * The specification states that cities have districts but not their fields, so entries without a name
 * are left out, and entries without an id are listed without one. A list without a search holds
 * cities, each with its districts.
 */
interface CityIndex {
  readonly items: readonly CityEntry[];
  /** Exact names before similar ones, and cities before districts. */
  search: NameIndex<CityEntry>["search"];
}

export function createCityIndex(cities: readonly City[]): CityIndex {
  const known = cities.flatMap(toCity);
  const districts = known.flatMap(({ name: city, options = [] }) =>
    options.map(({ id, name }): CityEntry => ({ id, name, path: `${city} > ${name}` })),
  );
  // Two indexes, since cities and districts may have equal ids.
  const indexes = [indexCities(known), indexCities(districts)];
  return {
    items: known,
    search(text, limit) {
      const hits = indexes.flatMap((index) => index.search(text, limit));
      const exact = hits.filter(({ match }) => match === "exact");
      const similar = hits.filter(({ match }) => match === "similar");
      return [...exact, ...similar].slice(0, limit);
    },
  };
}

/** Ids: plate codes of provinces and other numbers. */
const CITY_ID = /^\d+$/u;

const indexCities = (items: readonly CityEntry[]): NameIndex<CityEntry> =>
  createNameIndex({
    items,
    id: ({ id }) => id,
    name: ({ name }) => name,
    idPattern: CITY_ID,
  });

function toCity(city: City): readonly CityEntry[] {
  const [named] = toNamed(city);
  if (named === undefined) return [];
  return [{ ...named, path: named.name, options: (city.districts ?? []).flatMap(toNamed) }];
}

type NamedCity = Pick<CityEntry, "id" | "name">;

/** Entries that have a name, or that are a name. */
function toNamed(raw: unknown): readonly NamedCity[] {
  const name = typeof raw === "string" ? raw : read(raw, "name");
  return typeof name !== "string" || name.trim() === "" ? [] : [{ id: idOf(raw), name }];
}

function idOf(raw: unknown): string {
  const id = read(raw, "id");
  return typeof id === "string" || typeof id === "number" ? String(id) : "";
}

function read(raw: unknown, field: string): unknown {
  if (typeof raw !== "object" || raw === null) return undefined;
  return Object.entries(raw).find(([name]) => name === field)?.[1];
}
