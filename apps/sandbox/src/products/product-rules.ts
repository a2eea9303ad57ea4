/** Rules for a product besides its schema: the catalog, and its own price. */

import type { ProductAdd, ProductChanges } from "@catalog/contract";

import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import { createInputRefusal, type FieldProblem } from "../http/refusal.ts";

const ID_PATTERN = /^[0-9a-f]{24}$/u;

/**
 * Throws a refusal that names the fields of `given` that do not fit `product`, which is the product
 * after the change. Other fields are not checked, because they were valid before.
 */
export function assertProductFits(
  catalog: SandboxCatalog,
  product: ProductAdd,
  given: ProductChanges,
): void {
  const problems = RULES.filter(
    (rule) =>
      rule.fields.some((field) => given[field] !== undefined) && !rule.isKept(catalog, product),
  );
  if (problems.length > 0) throw createInputRefusal(problems);
}

interface Rule extends FieldProblem {
  readonly field: keyof ProductAdd;
  /** The fields; the rule is checked when one of them is given. */
  readonly fields: readonly (keyof ProductAdd)[];
  readonly isKept: (catalog: SandboxCatalog, product: ProductAdd) => boolean;
}

const RULES: readonly Rule[] = [
  {
    field: "category_id",
    fields: ["category_id"],
    isKept: (catalog, { category_id }) => catalog.isLeaf(category_id),
    message: {
      en: "must be a category without subcategories",
      tr: "alt kategorisi olmayan bir kategori olmalı",
    },
  },
  {
    field: "brand_id",
    fields: ["brand_id", "category_id"],
    isKept: (catalog, { category_id, brand_id }) =>
      catalog.brand(category_id, brand_id) !== undefined,
    message: { en: "must be a brand of the category", tr: "kategorinin bir markası olmalı" },
  },
  {
    field: "brand_model",
    fields: ["brand_model"],
    isKept: (catalog, { category_id, brand_id, brand_model }) =>
      !ID_PATTERN.test(brand_model) ||
      catalog.models(category_id, brand_id).some(({ id }) => id === brand_model),
    message: {
      en: "must be a model of the brand in the category, or its name",
      tr: "markanın kategorideki bir modeli veya model adı olmalı",
    },
  },
  {
    field: "shipping_template_id",
    fields: ["shipping_template_id"],
    isKept: (catalog, { shipping_template_id }) =>
      catalog.shippingTemplates.some(({ id }) => id === shipping_template_id),
    message: {
      en: "must be a shipping template of the store",
      tr: "mağazanın bir teslimat şablonu olmalı",
    },
  },
  {
    field: "discount_value",
    fields: ["price", "has_discount", "discount_type", "discount_value"],
    isKept: (_, { has_discount, discount_type, discount_value, price }) =>
      !has_discount || discount_type === 2 || (discount_value ?? 0) < price,
    message: { en: "must be below the price", tr: "fiyattan küçük olmalı" },
  },
  {
    field: "properties",
    fields: ["properties", "category_id"],
    isKept: areKnownProperties,
    message: {
      en: "must be properties of the category with their options",
      tr: "kategorinin özellikleri ve seçenekleri olmalı",
    },
  },
];

function areKnownProperties(catalog: SandboxCatalog, product: ProductAdd): boolean {
  const known = catalog.properties(product.category_id);
  return (product.properties ?? []).every((choice) => {
    const property = known.find(({ id }) => id === choice.property_id);
    return property?.property_options.some(({ id }) => id === choice.option_id) === true;
  });
}
