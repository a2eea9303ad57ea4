import type {
  Brand,
  BrandId,
  BrandModel,
  Category,
  CategoryId,
  CategoryProperty,
  ShippingTemplate,
} from "@catalog/contract";

import type { NameSource } from "./name-source.ts";

/** Options of the calls for a list. */
export interface ListCallOptions {
  readonly signal?: AbortSignal;
}

interface Listing<Input, Item> {
  items(input: Input, options?: ListCallOptions): AsyncIterable<Item>;
}

/** The calls for lists of names, as the client of `@catalog/client` has them. */
export interface NameCalls {
  readonly category: {
    readonly list: Listing<object, Category>;
    /** The properties of a category with their options. */
    readonly properties: (
      input: { readonly categoryId: CategoryId },
      options?: ListCallOptions,
    ) => Promise<readonly CategoryProperty[]>;
  };
  readonly brand: {
    readonly list: Listing<{ readonly category_id: CategoryId }, Brand>;
    readonly models: Listing<
      { readonly category_id: CategoryId; readonly brand_id: BrandId },
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
    models: (id, brandId) =>
      readAll(brand.models.items({ category_id: id, brand_id: brandId }, options)),
    properties: (id) => category.properties({ categoryId: id }, options),
    shippingTemplates: () => readAll(shippingTemplate.list.items({}, options)),
  };
}

async function readAll<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
