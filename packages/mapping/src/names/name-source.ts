import type {
  Brand,
  BrandId,
  BrandModel,
  Category,
  CategoryId,
  CategoryProperty,
  ShippingTemplate,
} from "@catalog/contract";

/**
 * Source of names and ids. Each list is asked for once in the life of a row mapper, and again only
 * after a failure; a rejection reaches the caller of `findOpenNames`.
 */
export interface NameSource {
  /** Every category of the marketplace. */
  categories(options?: ListOptions): Promise<readonly Category[]>;
  /** The brands of a category. */
  brands(category: CategoryId, options?: ListOptions): Promise<readonly Brand[]>;
  /** The models of a brand in a category. */
  models(category: CategoryId, brand: BrandId): Promise<readonly BrandModel[]>;
  /** The properties of a category with their options. */
  properties(category: CategoryId, options?: ListOptions): Promise<readonly CategoryProperty[]>;
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
