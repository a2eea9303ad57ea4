import {
  type Brand,
  type BrandId,
  brandId,
  type BrandModel,
  type CategoryId,
  type CategoryProperty,
  type PropertyOption,
  type ShippingTemplate,
} from "@catalog/contract";

import { type CategoryIndex, createCategoryIndex } from "./category-index.ts";
import { createNameIndex, type NameIndex } from "./name-index.ts";
import { type NameSource } from "./name-source.ts";

/** A property with its options ready to be looked up. */
export interface IndexedProperty {
  readonly property: CategoryProperty;
  readonly options: NameIndex<PropertyOption>;
}

/** What an id looks like; the specification says only that it is an identifier. */
export const DEFAULT_ID_PATTERN: RegExp = /^[0-9a-f]{24}$/iu;

/** The lists of a name source, each fetched and indexed at the first question. */
export interface NameIndexes {
  categories(): Promise<CategoryIndex>;
  brands(category: CategoryId): Promise<NameIndex<Brand>>;
  models(category: CategoryId, brand: BrandId): Promise<NameIndex<BrandModel>>;
  properties(category: CategoryId): Promise<NameIndex<IndexedProperty>>;
  templates(): Promise<NameIndex<ShippingTemplate>>;
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
  const categories = createShelf<CategoryIndex>();
  const brands = createShelf<NameIndex<Brand>>();
  const models = createShelf<NameIndex<BrandModel>>();
  const properties = createShelf<NameIndex<IndexedProperty>>();
  const templates = createShelf<NameIndex<ShippingTemplate>>();
  const named = <T extends { readonly id: string; readonly name: string }>(
    items: readonly T[],
  ): NameIndex<T> =>
    createNameIndex({ items, id: (item) => item.id, name: (item) => item.name, idPattern });

  return {
    isId: (text) => idPattern.test(text),
    readBrandId: (text) => (idPattern.test(text) ? brandId.parse(text) : undefined),
    categories: () =>
      categories("", async () => createCategoryIndex(await names.categories(), idPattern)),
    brands: (category) => brands(category, async () => named(await names.brands(category))),
    models: (category, brand) =>
      models(`${category}/${brand}`, async () => named(await names.models(category, brand))),
    properties: (category) =>
      properties(category, async () =>
        indexProperties(await names.properties(category), idPattern),
      ),
    templates: () =>
      templates("", async () =>
        createNameIndex({
          items: await names.shippingTemplates(),
          id: (item) => item.id,
          name: (item) => item.template_name,
          idPattern,
        }),
      ),
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
  });
}

/** Keeps what was loaded by key; a failed load is forgotten, so that it can be tried again. */
function createShelf<T>(): (key: string, load: () => Promise<T>) => Promise<T> {
  const shelf = new Map<string, Promise<T>>();
  return async (key, load) => {
    const known = shelf.get(key);
    if (known !== undefined) return known;
    const loading = load();
    shelf.set(key, loading);
    try {
      return await loading;
    } catch (error) {
      shelf.delete(key);
      throw error;
    }
  };
}
