/** The search over the products of all stores, as buyers see it. */

import {
  productId,
  type FoundProduct,
  type ProductSearchQuery,
  type StoreType,
} from "@catalog/contract";

import { createHashedId } from "../catalog/hashed-id.ts";
import { containsName } from "../catalog/name-search.ts";
import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import { createName } from "../history/customers.ts";
import { toFoundProduct } from "./listing.ts";
import type { SandboxProduct } from "./product-state.ts";
import { createSeedProducts } from "./seed-products.ts";

export interface ProductSearchOptions {
  readonly catalog: SandboxCatalog;
  readonly nowMs: number;
  /** The store's own products that are shown, in any status. */
  readonly products: () => readonly SandboxProduct[];
}

/** A product with the store that offers it. */
export interface Offer {
  readonly product: SandboxProduct;
  readonly storeName: string;
}

export interface ProductSearch {
  /** Offers whose texts contain every word, the own store's first; paging is not applied. */
  find(query: Pick<ProductSearchQuery, "type" | "search_key">): readonly Offer[];
}

const OUR_NAME = "Sandbox Mağazası";
const NEIGHBOURS = ["Komşu Ticaret", "Çınaraltı Market", "Yeşil Vadi AŞ"];
const PER_NEIGHBOUR = 80;
const PER_CONSUMER = 6;
const CONSUMERS = 30;

/** Creates the search; the products of other stores are generated at the first search. */
export function createProductSearch(options: ProductSearchOptions): ProductSearch {
  const { catalog, nowMs, products } = options;
  const made = new Map<StoreType, readonly Offer[]>();

  const neighbours = (type: StoreType): readonly Offer[] => {
    const known = made.get(type);
    if (known !== undefined) return known;
    const stores =
      type === "b2c"
        ? NEIGHBOURS.map((name) => ({ name, count: PER_NEIGHBOUR }))
        : Array.from({ length: CONSUMERS }, (_, index) => ({
            name: createName("consumer", String(index)),
            count: PER_CONSUMER,
          }));
    const offers = stores.flatMap(({ name, count }, index) =>
      createOffers({ catalog, nowMs, count, prefix: `${type.toUpperCase()}${index + 1}` }, name),
    );
    made.set(type, offers);
    return offers;
  };

  return {
    find({ type, search_key: text }) {
      const ours = type === "b2c" ? products().filter(({ status }) => status === "approved") : [];
      const words = text.split(/\s+/u).filter((word) => word !== "");
      return [
        ...ours.map((product) => ({ product, storeName: OUR_NAME })),
        ...neighbours(type),
      ].filter(({ product }) => hasWords(catalog, product, words));
    },
  };
}

function createOffers(
  options: Parameters<typeof createSeedProducts>[0],
  storeName: string,
): readonly Offer[] {
  return createSeedProducts(options).map(({ product, addedAtMs }, index) => ({
    storeName,
    product: {
      ...product,
      id: productId.parse(createHashedId("neighbour's product", product.product_code)),
      sid: 500_001 + index,
      status: "approved",
      addedAtMs,
    },
  }));
}

function hasWords(
  catalog: SandboxCatalog,
  { title, sub_title, category_id }: SandboxProduct,
  words: readonly string[],
): boolean {
  const text = `${title} ${sub_title} ${catalog.category(category_id)?.name ?? ""}`;
  return words.every((word) => containsName(text, word));
}

/** Makes an element of the product search. */
export function toSearchResult(
  catalog: SandboxCatalog,
  { product, storeName }: Offer,
): FoundProduct {
  return { ...toFoundProduct(catalog, product), store_name: storeName };
}
