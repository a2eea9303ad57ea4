/**
 * The lists of a name source as far as they were fetched, for synchronous mapping: the mapping
 * records each list that is missing, and is repeated once it was fetched.
 */

import type { Brand, BrandId, BrandModel, CategoryId, ShippingTemplate } from "@catalog/contract";

import { type CategoryIndex, createCategoryIndex } from "./category-index.ts";
import { createNameIndex, type NameIndex } from "./name-index.ts";
import { DEFAULT_ID_PATTERN, type IndexedProperty, type NameIndexes } from "./name-indexes.ts";
import type { ListOptions } from "./name-source.ts";

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

export interface KnownNames extends Pick<NameIndexes, "isId" | "readBrandId"> {
  categories(): KnownList<CategoryIndex>;
  brands(category: CategoryId): KnownList<NameIndex<Brand>>;
  models(category: CategoryId, brand: BrandId): KnownList<NameIndex<BrandModel>>;
  properties(category: CategoryId): KnownList<NameIndex<IndexedProperty>>;
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
  const categories = keep(createCategoryIndex([], DEFAULT_ID_PATTERN));
  const brands = keep(emptyIndex<Brand>());
  const noModels = emptyIndex<BrandModel>();
  const modelsOf = new Map<CategoryId, IndexLoader<NameIndex<BrandModel>>>();
  const properties = keep(emptyIndex<IndexedProperty>());
  const templates = keep(emptyIndex<ShippingTemplate>());
  const readTemplates = (): KnownList<NameIndex<ShippingTemplate>> =>
    templates("", (how) => indexes.templates(how));

  return {
    isId: (text) => indexes.isId(text),
    readBrandId: (text) => indexes.readBrandId(text),
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

const emptyIndex = <T>(): NameIndex<T> =>
  createNameIndex({ items: [], id: String, name: String, idPattern: DEFAULT_ID_PATTERN });

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
