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
