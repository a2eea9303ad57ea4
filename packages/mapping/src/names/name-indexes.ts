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
import { createNameIndex, type NameIndex } from "./name-index.ts";
import { propertyNameKey } from "./name-key.ts";
import { type ListOptions, type NameSource } from "./name-source.ts";

/** A property with its options ready to be looked up. */
export interface IndexedProperty {
  readonly property: CategoryProperty;
  readonly options: NameIndex<PropertyOption>;
}

/** What an id looks like; the specification says only that it is an identifier. */
export const DEFAULT_ID_PATTERN: RegExp = /^[0-9a-f]{24}$/iu;

/**
 * The lists of a name source, each fetched and indexed at the first question, and kept from then on.
 * A fresh one is asked for at most once a list; after that the answer stays what it is.
 */
export interface NameIndexes {
  categories(options?: ListOptions): Promise<CategoryIndex>;
  brands(category: CategoryId, options?: ListOptions): Promise<NameIndex<Brand>>;
  models(category: CategoryId, brand: BrandId): Promise<NameIndex<BrandModel>>;
  properties(category: CategoryId, options?: ListOptions): Promise<NameIndex<IndexedProperty>>;
  templates(options?: ListOptions): Promise<NameIndex<ShippingTemplate>>;
  /** Whether a text is an id by its looks. */
  isId(text: string): boolean;
  /** The text as a brand's id when it looks like one; not checked against any list. */
  readBrandId(text: string): BrandId | undefined;
}

/** Wraps a name source. Two rows that ask at once share one call. */
export function createNameIndexes(
  names: NameSource,
  idPattern: RegExp = DEFAULT_ID_PATTERN,
): NameIndexes {
  const named = <T extends { readonly id: string; readonly name: string }>(
    items: readonly T[],
  ): NameIndex<T> =>
    createNameIndex({ items, id: (item) => item.id, name: (item) => item.name, idPattern });
  const categories = createShelf((items: readonly Category[]) =>
    createCategoryIndex(items, idPattern),
  );
  const brands = createShelf((items: readonly Brand[]) => named(items));
  const models = createShelf((items: readonly BrandModel[]) => named(items));
  const properties = createShelf((items: readonly CategoryProperty[]) =>
    indexProperties(items, idPattern),
  );
  const templates = createShelf((items: readonly ShippingTemplate[]) =>
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

/** One list and what was made of it. */
interface Kept<Item, Index> {
  readonly items: readonly Item[];
  readonly index: Index;
}

type Shelf<Item, Index> = (
  key: string,
  options: ListOptions | undefined,
  load: (options: ListOptions) => Promise<readonly Item[]>,
) => Promise<Index>;

/**
 * Keeps what was loaded by key, and a fresh one from then on where one was asked for; a failed load
 * is forgotten, so that it can be tried again.
 */
function createShelf<Item, Index>(build: (items: readonly Item[]) => Index): Shelf<Item, Index> {
  type Lists = Map<string, Promise<Kept<Item, Index>>>;
  const first: Lists = new Map();
  const second: Lists = new Map();

  return async (key, { fresh = false } = {}, load) => {
    const before = first.get(key);
    const known = second.get(key) ?? (fresh ? undefined : before);
    if (known !== undefined) return (await known).index;
    const fetchList = async (): Promise<Kept<Item, Index>> => {
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
