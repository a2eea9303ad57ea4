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
 * again only after a failure; a rejection reaches the caller of `map`.
 */
export interface NameSource {
  categories(): Promise<readonly Category[]>;
  brands(category: CategoryId): Promise<readonly Brand[]>;
  models(category: CategoryId, brand: BrandId): Promise<readonly BrandModel[]>;
  properties(category: CategoryId): Promise<readonly CategoryProperty[]>;
  shippingTemplates(): Promise<readonly ShippingTemplate[]>;
}
