import {
  type Brand,
  type BrandId,
  type BrandModel,
  type Category,
  type CategoryId,
  type CategoryProperty,
  type ShippingTemplate,
} from "@catalog/contract";

/**
 * Where names and ids come from. Each list is asked for once in the life of a row mapper, and
 * again only after a failure; a rejection reaches the caller of `findOpenNames`.
 */
export interface NameSource {
  categories(options?: ListOptions): Promise<readonly Category[]>;
  brands(category: CategoryId, options?: ListOptions): Promise<readonly Brand[]>;
  models(category: CategoryId, brand: BrandId): Promise<readonly BrandModel[]>;
  properties(category: CategoryId, options?: ListOptions): Promise<readonly CategoryProperty[]>;
  shippingTemplates(options?: ListOptions): Promise<readonly ShippingTemplate[]>;
}

/** How a list is asked for. */
export interface ListOptions {
  /**
   * The list that was answered lacks a name: a newer one is wanted. A source that has no newer one
   * answers with the very same list. @default false
   */
  readonly fresh?: boolean | undefined;
}
