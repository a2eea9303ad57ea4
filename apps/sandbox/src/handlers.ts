/** What the sandbox does for each endpoint of the contract's table. */

import { type Endpoint, type Endpoints, type PageQuery } from "@catalog/contract";

import { type SandboxCategory } from "./catalog/category-tree.ts";
import { containsName } from "./catalog/name-search.ts";
import { type SandboxCatalog } from "./catalog/sandbox-catalog.ts";
import { toPage } from "./paging.ts";
import { type Personality } from "./personality/switches.ts";
import { createInputRefusal, createMissingRefusal } from "./refusal.ts";
import { selectProducts, toStoreProduct } from "./store/listing.ts";
import { type StoreState } from "./store/store-state.ts";
import { type Tally } from "./tally.ts";
import { type TokenDesk } from "./token-desk.ts";

/** What a handler may know of a request besides its input. */
export interface Call {
  readonly ip: string;
}

/**
 * Answers one endpoint with its `data`, or throws a refusal. Declared as a method, so that a table
 * of handlers can be walked without knowing each one's input: its schema has been applied before.
 */
export interface Handler<Input, Data> {
  answer(input: Input, call: Call): Data;
}

type HandlerOf<Row> = Row extends Endpoint<infer Input, infer Data> ? Handler<Input, Data> : never;

/** One handler for every row of the table; leaving one out does not compile. */
export type Handlers = {
  readonly [Group in keyof Endpoints]: {
    readonly [Name in keyof Endpoints[Group]]: HandlerOf<Endpoints[Group][Name]>;
  };
};

export interface HandlersOptions {
  readonly catalog: SandboxCatalog;
  readonly store: StoreState;
  readonly tokens: TokenDesk;
  readonly tally: Tally;
  readonly codeFilter: Personality["code-filter"];
}

export function createHandlers(options: HandlersOptions): Handlers {
  return {
    token: createTokenHandlers(options),
    category: createCategoryHandlers(options),
    brand: createBrandHandlers(options),
    shippingTemplate: createShippingTemplateHandlers(options),
    product: createProductHandlers(options),
  };
}

function createTokenHandlers({ tokens, tally }: HandlersOptions): Handlers["token"] {
  return {
    create: {
      answer(request, { ip }) {
        const { value, expiresAtMs } = tokens.grant(request, ip);
        tally.count("tokens");
        return {
          status: "success",
          access_token: value,
          expires_at: new Date(expiresAtMs).toISOString(),
          message: "Access token created",
          message_tr: "Erişim anahtarı oluşturuldu",
        };
      },
    },
  };
}

function createCategoryHandlers({ catalog }: HandlersOptions): Handlers["category"] {
  return {
    list: { answer: (query) => search(catalog.categories, query, ({ name }) => name) },
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

function createBrandHandlers({ catalog }: HandlersOptions): Handlers["brand"] {
  return {
    list: {
      answer(query) {
        assertCategory(catalog, query.category_id);
        const { name, ...rest } = query;
        const brands = catalog.brands(query.category_id);
        return search(brands, { ...rest, search: name }, (brand) => brand.name);
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

function createShippingTemplateHandlers({
  catalog,
}: HandlersOptions): Handlers["shippingTemplate"] {
  return {
    list: {
      answer: (query) =>
        search(catalog.shippingTemplates, query, ({ template_name }) => template_name),
    },
  };
}

function createProductHandlers(options: HandlersOptions): Handlers["product"] {
  const { catalog, store, tally, codeFilter } = options;
  return {
    list: {
      answer(query) {
        const found = selectProducts(store.listed(), query, codeFilter);
        const { total, result } = toPage(found, query);
        return { total, result: result.map((product) => toStoreProduct(catalog, product)) };
      },
    },
    add: {
      answer(product) {
        const { id } = store.add(product);
        tally.count("adds");
        return { status: true, message: "Product added", product_id: id };
      },
    },
    update: {
      answer({ product_id, ...changes }) {
        if (store.update(product_id, changes) === "changed") tally.count("updates");
        return { status: true, message: "Product updated" };
      },
    },
  };
}

interface SearchQuery extends PageQuery {
  readonly ids?: readonly string[] | undefined;
  readonly search?: string | undefined;
}

/** A page of the items with one of the ids and a name that contains the text, when these are given. */
function search<Item extends { readonly id: string }>(
  items: readonly Item[],
  query: SearchQuery,
  nameOf: (item: Item) => string,
): ReturnType<typeof toPage<Item>> {
  const { ids, search: text = "" } = query;
  const found = items.filter(
    (item) => (ids?.includes(item.id) ?? true) && containsName(nameOf(item), text),
  );
  return toPage(found, query);
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
