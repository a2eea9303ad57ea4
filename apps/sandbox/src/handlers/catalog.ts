import type { SandboxCategory } from "../catalog/category-tree.ts";
import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import { toPage } from "../http/paging.ts";
import { createInputRefusal, createMissingRefusal } from "../http/refusal.ts";
import type { Handlers, HandlersOptions } from "./handler.ts";
import { searchPage } from "./search-page.ts";

export function createCategoryHandlers({ catalog }: HandlersOptions): Handlers["category"] {
  return {
    list: { answer: (query) => searchPage(catalog.categories, query, ({ name }) => name) },
    byExternalId: {
      answer({ externalCategoryId }) {
        const wanted = String(externalCategoryId);
        const category = catalog.categories.find(({ external_id }) => external_id === wanted);
        const known = requireCategory(category);
        return { ...known, properties: catalog.properties(known.id) };
      },
    },
    properties: {
      answer({ categoryId }) {
        return catalog.properties(requireCategory(catalog.category(categoryId)).id);
      },
    },
  };
}

export function createBrandHandlers({ catalog }: HandlersOptions): Handlers["brand"] {
  return {
    list: {
      answer(query) {
        assertCategory(catalog, query.category_id);
        const { name, ...rest } = query;
        const brands = catalog.brands(query.category_id);
        return searchPage(brands, { ...rest, search: name }, (brand) => brand.name);
      },
    },
    models: {
      answer(query) {
        assertCategory(catalog, query.category_id);
        return toPage(catalog.models(query.category_id, query.brand_id), query);
      },
    },
  };
}

function requireCategory(category: SandboxCategory | undefined): SandboxCategory {
  if (category === undefined) throw createMissingRefusal({ en: "Category", tr: "Kategori" });
  return category;
}

function assertCategory(catalog: SandboxCatalog, id: string): void {
  if (catalog.category(id) !== undefined) return;
  const message = { en: "must be a category", tr: "bir kategori olmalı" };
  throw createInputRefusal([{ field: "category_id", message }]);
}
