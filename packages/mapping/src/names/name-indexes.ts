/**
 * The lists of names of a marketplace: fetched and indexed at the first lookup, and mapped
 * synchronously as far as they were fetched.
 */

import type {
  Brand,
  BrandModel,
  Category,
  CategoryProperty,
  PropertyOption,
  ShippingTemplate,
  Id,
} from "@catalog/contract";

import { type CategoryIndex, createCategoryIndex } from "./categories.ts";
import { createNameIndex, type NameIndex } from "./name-index.ts";
import { joinedNameKey, propertyNameKey, readingsOf } from "./name-key.ts";

/**
 * Source of names and ids. Each list is asked for once in the life of a row mapper, and again only
 * after a failure; a rejection reaches the caller of `findOpenNames`.
 */
export interface NameSource {
  /** Every category of the marketplace. */
  categories(options?: ListOptions): Promise<readonly Category[]>;
  brands(category: Id<"category">, options?: ListOptions): Promise<readonly Brand[]>;
  models(category: Id<"category">, brand: Id<"brand">): Promise<readonly BrandModel[]>;
  properties(category: Id<"category">, options?: ListOptions): Promise<readonly CategoryProperty[]>;
  /** The shipping templates of the store. */
  shippingTemplates(options?: ListOptions): Promise<readonly ShippingTemplate[]>;
}

/** Options of reading a list. */
export interface ListOptions {
  /**
   * Asks for a newer list, because the last one lacked a name. A source without a newer one returns
   * the same list. @default false
   */
  readonly fresh?: boolean | undefined;
}

interface ListCallOptions {
  readonly signal?: AbortSignal;
}

interface Listing<Input, Item> {
  items(input: Input, options?: ListCallOptions): AsyncIterable<Item>;
}

/** The calls for lists of names, as the client of `@catalog/client` has them. */
export interface NameCalls {
  readonly category: {
    readonly list: Listing<object, Category>;
    readonly properties: (
      input: { readonly categoryId: Id<"category"> },
      options?: ListCallOptions,
    ) => Promise<readonly CategoryProperty[]>;
  };
  readonly brand: {
    readonly list: Listing<{ readonly category_id: Id<"category"> }, Brand>;
    readonly models: Listing<
      { readonly category_id: Id<"category">; readonly brand_id: Id<"brand"> },
      BrandModel
    >;
  };
  readonly shippingTemplate: { readonly list: Listing<object, ShippingTemplate> };
}

/**
 * Creates a name source that reads each list from the marketplace whenever it is asked for. It
 * caches nothing: name indexes and row mappers ask for a list once.
 */
export function createMarketplaceNames(
  { category, brand, shippingTemplate }: NameCalls,
  options: ListCallOptions = {},
): NameSource {
  return {
    categories: () => readAll(category.list.items({}, options)),
    brands: (id) => readAll(brand.list.items({ category_id: id }, options)),
    models: (categoryId, id) =>
      readAll(brand.models.items({ category_id: categoryId, brand_id: id }, options)),
    properties: (id) => category.properties({ categoryId: id }, options),
    shippingTemplates: () => readAll(shippingTemplate.list.items({}, options)),
  };
}

async function readAll<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** A property with its options indexed. */
export interface IndexedProperty {
  readonly property: CategoryProperty;
  readonly options: NameIndex<PropertyOption>;
}

/**
 * The lists of a name source, each fetched and indexed at the first lookup and kept from then on.
 * Each is renewed at most once; after that its results do not change.
 */
export interface NameIndexes {
  /** Every category of the marketplace. */
  categories(options?: ListOptions): Promise<CategoryIndex>;
  brands(category: Id<"category">, options?: ListOptions): Promise<NameIndex<Brand>>;
  models(category: Id<"category">, brand: Id<"brand">): Promise<NameIndex<BrandModel>>;
  properties(category: Id<"category">, options?: ListOptions): Promise<NameIndex<IndexedProperty>>;
  /** The shipping templates of the store. */
  templates(options?: ListOptions): Promise<NameIndex<ShippingTemplate>>;
}

/** Wraps a name source. Concurrent lookups of one list share one call. */
export function createNameIndexes(names: NameSource): NameIndexes {
  const categories = createIndexCache(createCategoryIndex);
  const brands = createIndexCache((items: readonly Brand[]) =>
    createNameIndex({
      items,
      id: (item) => item.id,
      name: (item) => item.name,
      looseKeyOf: joinedNameKey,
      readingsOf,
    }),
  );
  const models = createIndexCache((items: readonly BrandModel[]) =>
    createNameIndex({ items, id: (item) => item.id, name: (item) => item.name }),
  );
  const properties = createIndexCache(indexProperties);
  const templates = createIndexCache((items: readonly ShippingTemplate[]) =>
    createNameIndex({
      items,
      id: (item) => item.id,
      name: (item) => item.template_name,
    }),
  );

  return {
    categories: (options) => categories("", options, (how) => names.categories(how)),
    brands: (category, options) => brands(category, options, (how) => names.brands(category, how)),
    models: (category, brand) =>
      models(`${category}/${brand}`, undefined, () => names.models(category, brand)),
    properties: (category, options) =>
      properties(category, options, (how) => names.properties(category, how)),
    templates: (options) => templates("", options, (how) => names.shippingTemplates(how)),
  };
}

function indexProperties(properties: readonly CategoryProperty[]): NameIndex<IndexedProperty> {
  const items = properties.map((property) => ({
    property,
    options: createNameIndex({
      items: property.property_options,
      id: (option) => option.id,
      name: (option) => option.display_name,
    }),
  }));
  return createNameIndex({
    items,
    id: ({ property }) => property.id,
    name: ({ property }) => property.name,
    keyOf: propertyNameKey,
  });
}

interface IndexedList<Item, Index> {
  readonly items: readonly Item[];
  readonly index: Index;
}

type IndexCache<Item, Index> = (
  key: string,
  options: ListOptions | undefined,
  load: (options: ListOptions) => Promise<readonly Item[]>,
) => Promise<Index>;

/**
 * Caches loaded lists by key, and the renewed one once it was asked for. A failed load is not
 * cached, so that it can be repeated.
 */
function createIndexCache<Item, Index>(
  build: (items: readonly Item[]) => Index,
): IndexCache<Item, Index> {
  type Lists = Map<string, Promise<IndexedList<Item, Index>>>;
  const first: Lists = new Map();
  const second: Lists = new Map();

  return async (key, { fresh = false } = {}, load) => {
    const before = first.get(key);
    const known = second.get(key) ?? (fresh ? undefined : before);
    if (known !== undefined) return (await known).index;
    const fetchList = async (): Promise<IndexedList<Item, Index>> => {
      const old = await before;
      const items = await load({ fresh });
      return old?.items === items ? old : { items, index: build(items) };
    };
    const lists = fresh ? second : first;
    const arrival = fetchList();
    lists.set(key, arrival);
    try {
      return (await arrival).index;
    } catch (error) {
      lists.delete(key);
      throw error;
    }
  };
}

/** One list. Reading one that was not fetched records it as missing. */
export interface KnownList<Index> {
  /** Empty until the list was fetched. */
  readonly index: Index;
  /** `undefined` until the list was fetched; reading it records nothing. */
  readonly fetched: Index | undefined;
  /**
   * Records a newer list as missing, because this one lacks a name. A list is renewed at most once.
   */
  renew(): void;
}

export interface KnownNames {
  categories(): KnownList<CategoryIndex>;
  brands(category: Id<"category">): KnownList<NameIndex<Brand>>;
  models(category: Id<"category">, brand: Id<"brand">): KnownList<NameIndex<BrandModel>>;
  properties(category: Id<"category">): KnownList<NameIndex<IndexedProperty>>;
  templates(): KnownList<NameIndex<ShippingTemplate>>;
  /** The templates as far as they were fetched; records nothing as missing. */
  knownTemplates(): readonly ShippingTemplate[];
  /** How to fetch each list that was recorded as missing since the last call. */
  takeMissing(): readonly FetchList[];
  /** Number of lists that were replaced by a newer one with other entries. */
  readonly renewed: number;
}

type FetchList = () => Promise<void>;

/** Starts without any list. */
export function createKnownNames(indexes: NameIndexes): KnownNames {
  const missing = new Set<FetchList>();
  let renewed = 0;
  const onRenewed = (): void => {
    renewed += 1;
  };

  const keep = <Index>(empty: Index): IndexLoader<Index> => {
    const lists = new Map<string, KnownList<Index>>();
    return (key, load) => {
      const known = lists.get(key);
      if (known !== undefined) return known;
      const list = createKnownList({ empty, load, missing, onRenewed });
      lists.set(key, list);
      return list;
    };
  };
  const categories = keep(createCategoryIndex([]));
  const brands = keep(emptyIndex<Brand>());
  const noModels = emptyIndex<BrandModel>();
  const modelsOf = new Map<Id<"category">, IndexLoader<NameIndex<BrandModel>>>();
  const properties = keep(emptyIndex<IndexedProperty>());
  const templates = keep(emptyIndex<ShippingTemplate>());
  const readTemplates = (): KnownList<NameIndex<ShippingTemplate>> =>
    templates("", (how) => indexes.templates(how));

  return {
    categories: () => categories("", (how) => indexes.categories(how)),
    brands: (category) => brands(category, (how) => indexes.brands(category, how)),
    models(category, brand) {
      const ofBrand = modelsOf.get(category) ?? keep(noModels);
      modelsOf.set(category, ofBrand);
      return ofBrand(brand, () => indexes.models(category, brand));
    },
    properties: (category) => properties(category, (how) => indexes.properties(category, how)),
    templates: readTemplates,
    knownTemplates: () => readTemplates().fetched?.items ?? [],
    takeMissing() {
      if (missing.size === 0) return NOTHING;
      const taken = [...missing];
      missing.clear();
      return taken;
    },
    get renewed() {
      return renewed;
    },
  };
}

const NOTHING: readonly FetchList[] = [];

const emptyIndex = <T>(): NameIndex<T> => createNameIndex({ items: [], id: String, name: String });

type IndexLoader<Index> = (key: string, load: LoadIndex<Index>) => KnownList<Index>;

type LoadIndex<Index> = (options: ListOptions) => Promise<Index>;

interface KnownListOptions<Index> {
  readonly empty: Index;
  readonly load: LoadIndex<Index>;
  readonly missing: Set<FetchList>;
  readonly onRenewed: () => void;
}

function createKnownList<Index>(options: KnownListOptions<Index>): KnownList<Index> {
  const { load, missing, onRenewed } = options;
  let { empty: index } = options;
  let state: "absent" | "fetched" | "renewed" = "absent";
  const fetchFirst = async (): Promise<void> => {
    const first = await load({});
    if (state !== "absent") return;
    index = first;
    state = "fetched";
  };
  const fetchNewer = async (): Promise<void> => {
    const newer = await load({ fresh: true });
    if (state === "renewed") return;
    state = "renewed";
    if (newer === index) return;
    index = newer;
    onRenewed();
  };
  return {
    get fetched() {
      return state === "absent" ? undefined : index;
    },
    get index() {
      if (state === "absent") missing.add(fetchFirst);
      return index;
    },
    renew() {
      if (state === "fetched") missing.add(fetchNewer);
    },
  };
}
