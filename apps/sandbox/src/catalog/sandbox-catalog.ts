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
import { createHashedId, pickFrom } from "./hashed-id.ts";
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
  /** A brand of the category; undefined where the category has no brand with this id. */
  brand(categoryId: string, brandId: string): Brand | undefined;
  models(categoryId: string, brandId: string): readonly BrandModel[];
  /** One of the models, as `pickFrom` picks it. Throws a `RangeError` for an unknown brand. */
  pickModel(categoryId: string, brandId: string, ...words: readonly string[]): BrandModel;
  properties(categoryId: string): readonly CategoryProperty[];
}

interface CategoryBrands {
  readonly list: readonly Brand[];
  readonly byId: ReadonlyMap<string, Brand>;
}

/** A brand with the category of its models. */
interface BrandModels {
  readonly node: CategoryNode;
  readonly brand: Brand;
}

/** Creates the catalog, with the same names and ids every time. */
export function createSandboxCatalog(): SandboxCatalog {
  const nodes = new Map(createCategoryTree().map((node) => [String(node.category.id), node]));
  const brandsByCategory = new Map<string, CategoryBrands>();
  const propertyTable = createPropertyTable();

  const brandsOf = (categoryId: string): CategoryBrands => {
    const known = brandsByCategory.get(categoryId);
    if (known !== undefined) return known;
    const node = nodes.get(categoryId);
    const list = node?.isLeaf === true ? createBrands(node) : [];
    const made = { list, byId: new Map<string, Brand>(list.map((brand) => [brand.id, brand])) };
    if (node !== undefined) brandsByCategory.set(categoryId, made);
    return made;
  };
  const brand = (categoryId: string, wanted: string): Brand | undefined =>
    brandsOf(categoryId).byId.get(wanted);
  const modelsOf = (categoryId: string, wanted: string): BrandModels | undefined => {
    const node = nodes.get(categoryId);
    const own = brand(categoryId, wanted);
    return node === undefined || own === undefined ? undefined : { node, brand: own };
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
    brands: (categoryId) => brandsOf(categoryId).list,
    brand,
    models(categoryId, wanted) {
      const models = modelsOf(categoryId, wanted);
      return models === undefined ? [] : listNames(models).map((name) => createModel(models, name));
    },
    pickModel(categoryId, wanted, ...words) {
      const models = modelsOf(categoryId, wanted);
      if (models === undefined) throw new RangeError(`no brand ${wanted} is in ${categoryId}`);
      return createModel(models, pickFrom(listNames(models), ...words));
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

const listNames = ({ node, brand }: BrandModels): readonly string[] =>
  listModelNames(node.department.modelStyle, node.category.category_path, brand.name);

function createModel({ node, brand }: BrandModels, name: string): BrandModel {
  const { category_path: path, name: category_name } = node.category;
  const id = brandModelId.parse(createHashedId("model", path, brand.name, name));
  return { id, name, category_name, brand_name: brand.name };
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
