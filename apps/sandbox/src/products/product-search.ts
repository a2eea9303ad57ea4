/** The search over the products of all stores, as buyers see it. */

import {
  productId,
  type FoundProduct,
  type ProductSearchQuery,
  type StoreType,
} from "@catalog/contract";

import { createHashedId } from "../catalog/hashed-id.ts";
import { foldName } from "../catalog/name-search.ts";
import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import { createName } from "../history/customers.ts";
import { createTextFold } from "./folded-text.ts";
import { toFoundProduct } from "./listing.ts";
import type { ListedProducts } from "./product-index.ts";
import type { SandboxProduct } from "./product-state.ts";
import { createSeedProducts } from "./seed-products.ts";

export interface ProductSearchOptions {
  readonly catalog: SandboxCatalog;
  readonly nowMs: number;
  /** The store's own products that are shown. */
  readonly listed: () => ListedProducts;
}

/** A product with the store that offers it. */
export interface Offer {
  readonly product: SandboxProduct;
  readonly storeName: string;
}

export interface ProductSearch {
  /** Offers whose texts contain every word, the own store's first; paging is not applied. */
  find(query: SearchedOffers): readonly Offer[];
}

type SearchedOffers = Pick<ProductSearchQuery, "type" | "search_key">;

const OUR_NAME = "Sandbox Mağazası";
const NEIGHBOURS = ["Komşu Ticaret", "Çınaraltı Market", "Yeşil Vadi AŞ"];
const PER_NEIGHBOUR = 80;
const PER_CONSUMER = 6;
const CONSUMERS = 30;

/** Creates the search; the products of other stores are generated at the first search. */
export function createProductSearch(options: ProductSearchOptions): ProductSearch {
  const { catalog, nowMs, listed } = options;
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

  const foldText = createTextFold(
    ({ title, sub_title, category_id }) =>
      `${title} ${sub_title} ${catalog.category(category_id)?.name ?? ""}`,
  );
  const search = (ours: ListedProducts, { type, search_key: key }: SearchedOffers): Offer[] => {
    const words = key.split(/\s+/u).filter((word) => word !== "");
    const folded = words.map(foldName);
    const has = (product: SandboxProduct): boolean =>
      folded.every((word) => foldText(product).includes(word));
    const own = type === "b2c" ? ours.inStatus("approved") : [];
    return [
      ...own.map((place) => ({ product: ours.at(place), storeName: OUR_NAME })),
      ...neighbours(type),
    ].filter(({ product }) => has(product));
  };
  let last: { readonly key: string; readonly version: number; readonly found: Offer[] } | undefined;

  return {
    find(query) {
      const ours = listed();
      const { version } = ours;
      const key = JSON.stringify([query.type, query.search_key]);
      if (last?.key !== key || last.version !== version) {
        last = { key, version, found: search(ours, query) };
      }
      return last.found;
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

/** Makes an element of the product search. */
export function toSearchResult(
  catalog: SandboxCatalog,
  { product, storeName }: Offer,
): FoundProduct {
  return { ...toFoundProduct(catalog, product), store_name: storeName };
}
