import {
  type Brand,
  type BrandId,
  brandId,
  type BrandModel,
  type Category,
  type CategoryId,
  type CategoryProperty,
  type PropertyOption,
  type ShippingTemplate,
} from "@catalog/contract";

import { type CategoryIndex, createCategoryIndex } from "./category-index.ts";
import { joinedNameKey, readingsOf } from "./foreign-names.ts";
import { createNameIndex, type NameIndex } from "./name-index.ts";
import { propertyNameKey } from "./name-key.ts";
import type { ListOptions, NameSource } from "./name-source.ts";

/** A property with its options indexed. */
export interface IndexedProperty {
  readonly property: CategoryProperty;
  readonly options: NameIndex<PropertyOption>;
}

/**
 * Assumed form of an id; the specification says only that it is an identifier string (section What
 * the service does, Conventions 5).
 */
export const DEFAULT_ID_PATTERN: RegExp = /^[0-9a-f]{24}$/iu;

/**
 * The lists of a name source, each fetched and indexed at the first lookup and kept from then on.
 * Each is renewed at most once; after that its results do not change.
 */
export interface NameIndexes {
  /** Every category of the marketplace. */
  categories(options?: ListOptions): Promise<CategoryIndex>;
  /** The brands of a category. */
  brands(category: CategoryId, options?: ListOptions): Promise<NameIndex<Brand>>;
  /** The models of a brand in a category. */
  models(category: CategoryId, brand: BrandId): Promise<NameIndex<BrandModel>>;
  /** The properties of a category with their options. */
  properties(category: CategoryId, options?: ListOptions): Promise<NameIndex<IndexedProperty>>;
  /** The shipping templates of the store. */
  templates(options?: ListOptions): Promise<NameIndex<ShippingTemplate>>;
  /** Whether a text has the form of an id. */
  isId(text: string): boolean;
  /** The text as a brand's id when it has the form of one; it is not checked against any list. */
  readBrandId(text: string): BrandId | undefined;
}

/** Wraps a name source. Concurrent lookups of one list share one call. */
export function createNameIndexes(
  names: NameSource,
  idPattern: RegExp = DEFAULT_ID_PATTERN,
): NameIndexes {
  const named = <T extends { readonly id: string; readonly name: string }>(
    items: readonly T[],
  ): NameIndex<T> =>
    createNameIndex({ items, id: (item) => item.id, name: (item) => item.name, idPattern });
  const categories = createIndexCache((items: readonly Category[]) =>
    createCategoryIndex(items, idPattern),
  );
  const brands = createIndexCache((items: readonly Brand[]) =>
    createNameIndex({
      items,
      id: (item) => item.id,
      name: (item) => item.name,
      idPattern,
      looseKeyOf: joinedNameKey,
      readingsOf,
    }),
  );
  const models = createIndexCache((items: readonly BrandModel[]) => named(items));
  const properties = createIndexCache((items: readonly CategoryProperty[]) =>
    indexProperties(items, idPattern),
  );
  const templates = createIndexCache((items: readonly ShippingTemplate[]) =>
    createNameIndex({
      items,
      id: (item) => item.id,
      name: (item) => item.template_name,
      idPattern,
    }),
  );

  return {
    isId: (text) => idPattern.test(text),
    readBrandId: (text) => (idPattern.test(text) ? brandId.parse(text) : undefined),
    categories: (options) => categories("", options, (how) => names.categories(how)),
    brands: (category, options) => brands(category, options, (how) => names.brands(category, how)),
    models: (category, brand) =>
      models(`${category}/${brand}`, undefined, () => names.models(category, brand)),
    properties: (category, options) =>
      properties(category, options, (how) => names.properties(category, how)),
    templates: (options) => templates("", options, (how) => names.shippingTemplates(how)),
  };
}

function indexProperties(
  properties: readonly CategoryProperty[],
  idPattern: RegExp,
): NameIndex<IndexedProperty> {
  const items = properties.map((property) => ({
    property,
    options: createNameIndex({
      items: property.property_options,
      id: (option) => option.id,
      name: (option) => option.display_name,
      idPattern,
    }),
  }));
  return createNameIndex({
    items,
    id: ({ property }) => property.id,
    name: ({ property }) => property.name,
    idPattern,
    keyOf: propertyNameKey,
  });
}

/** One list and its index. */
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
