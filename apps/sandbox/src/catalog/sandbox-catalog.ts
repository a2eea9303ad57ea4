import {
  type Brand,
  brandId,
  type BrandModel,
  brandModelId,
  type CategoryProperty,
  type ShippingTemplate,
} from "@catalog/contract";

import { listBrandNames, startOfDepartment } from "./brand-names.ts";
import {
  type CategoryNode,
  createCategoryTree,
  DEPARTMENTS,
  type SandboxCategory,
} from "./category-tree.ts";
import { createHashedId } from "./hashed-id.ts";
import { listModelNames } from "./model-names.ts";
import { splitNames } from "./names.ts";
import { createProperty } from "./property-table.ts";
import { createShippingTemplates } from "./shipping-templates.ts";

/**
 * The read-only data of every sandbox. Brands and models are generated on first use; an unknown id
 * has no brands, models or properties.
 */
export interface SandboxCatalog {
  /** Every category, parents before their children. */
  readonly categories: readonly SandboxCategory[];
  readonly shippingTemplates: readonly ShippingTemplate[];
  category(id: string): SandboxCategory | undefined;
  /** Whether the category can have products: only on the fourth level. */
  isLeaf(categoryId: string): boolean;
  /** Usual prices in a category, in minor units of TL: lowest, highest. */
  priceRangeMinor(categoryId: string): readonly [number, number];
  /** Brands of a leaf category, by name; other categories have none. */
  brands(categoryId: string): readonly Brand[];
  models(categoryId: string, brandId: string): readonly BrandModel[];
  properties(categoryId: string): readonly CategoryProperty[];
}

/** Creates the catalog, with the same names and ids every time. */
export function createSandboxCatalog(): SandboxCatalog {
  const nodes = new Map(createCategoryTree().map((node) => [String(node.category.id), node]));
  const brandsByCategory = new Map<string, readonly Brand[]>();
  const propertyTable = createPropertyTable();

  const brands = (categoryId: string): readonly Brand[] => {
    const known = brandsByCategory.get(categoryId);
    if (known !== undefined) return known;
    const node = nodes.get(categoryId);
    const made = node?.isLeaf === true ? createBrands(node) : [];
    if (node !== undefined) brandsByCategory.set(categoryId, made);
    return made;
  };

  return {
    categories: [...nodes.values()].map((node) => node.category),
    shippingTemplates: createShippingTemplates(),
    category: (id) => nodes.get(id)?.category,
    isLeaf: (id) => nodes.get(id)?.isLeaf === true,
    priceRangeMinor(id) {
      const [lowest, highest] = nodes.get(id)?.department.priceTl ?? [1, 1];
      return [lowest * 100, highest * 100];
    },
    brands,
    models(categoryId, wanted) {
      const node = nodes.get(categoryId);
      const brand = brands(categoryId).find(({ id }) => id === wanted);
      return node === undefined || brand === undefined ? [] : createModels(node, brand);
    },
    properties(categoryId) {
      const node = nodes.get(categoryId);
      return node?.isLeaf === true ? propertyTable(node.department.properties) : [];
    },
  };
}

/** Comparing by a collator takes a tenth of the time that `localeCompare` does. */
const TURKISH = new Intl.Collator("tr");

function createBrands({ category, department }: CategoryNode): readonly Brand[] {
  const start = startOfDepartment(DEPARTMENTS.indexOf(department), DEPARTMENTS.length);
  return listBrandNames(department, category.category_path, start)
    .toSorted(TURKISH.compare)
    .map((name) => ({ id: brandId.parse(createHashedId("brand", name)), name }));
}

function createModels({ category, department }: CategoryNode, brand: Brand): readonly BrandModel[] {
  const path = category.category_path;
  return listModelNames(department.modelStyle, path, brand.name).map((name) => ({
    id: brandModelId.parse(createHashedId("model", path, brand.name, name)),
    name,
    category_name: category.name,
    brand_name: brand.name,
  }));
}

/** Creates the properties of a list of names once: every product in a listing shows them. */
function createPropertyTable(): (names: string) => readonly CategoryProperty[] {
  const known = new Map<string, readonly CategoryProperty[]>();
  return (names) => {
    const properties = known.get(names) ?? splitNames(names).map(createProperty);
    known.set(names, properties);
    return properties;
  };
}
