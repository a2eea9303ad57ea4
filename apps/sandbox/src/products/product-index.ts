/**
 * The products with an index for every filter of the listings, which each change keeps up, so that
 * no listing reads all products. A product's place is its number in the order of addition, from 0.
 */

import type { ListingStatus } from "@catalog/contract";

import { type CodeIndex, createCodeIndex } from "./code-index.ts";
import type { SandboxProduct } from "./product-state.ts";
import { createVisibleProducts, type VisibleProducts } from "./visible-products.ts";

/** The products that listings show now. */
export interface ListedProducts {
  /** A number that changes when any product does. */
  readonly version: number;
  /** Whether no product was added before the time of one before it. */
  readonly isChronological: boolean;
  /** Places of the products in this status, in ascending order. */
  inStatus(status: ListingStatus): readonly number[];
  isListed(place: number): boolean;
  /** The product at a place that one of the other methods returned. */
  at(place: number): SandboxProduct;
  /** The place of a product, listed or not. */
  placeOf(id: string): number | undefined;
  /** Places of products with this code in any case, listed or not, in ascending order. */
  withCode(code: string): readonly number[];
  /** Places of products whose code starts with this text, listed or not. */
  withPrefix(prefix: string): readonly number[];
}

export interface ProductIndex {
  readonly size: number;
  /** Every product, in the order of addition; a copy. */
  products(): readonly SandboxProduct[];
  get(id: string): SandboxProduct | undefined;
  /** Products with exactly this code, in the order of addition. */
  withCode(code: string): readonly SandboxProduct[];
  /** Adds a product at the end, or replaces the one with its id at its place. */
  put(product: SandboxProduct): void;
  clear(): void;
  /** Products that no listing shows at this time. */
  hidden(nowMs: number): readonly SandboxProduct[];
  /** Products that listings show at this time. */
  listed(nowMs: number): ListedProducts;
}

/** The store's products, and what finds them. */
interface IndexState {
  /** In the order of addition. */
  readonly all: SandboxProduct[];
  readonly placeById: Map<string, number>;
  readonly codes: CodeIndex;
  readonly visible: VisibleProducts;
  version: number;
  isChronological: boolean;
}

export function createProductIndex(): ProductIndex {
  const state = createState();
  const { all, placeById, codes, visible } = state;
  const at = (place: number): SandboxProduct => productAt(all, place);
  const listed = createView(state);

  return {
    get size() {
      return all.length;
    },
    products: () => [...all],
    get(id) {
      const place = placeById.get(id);
      return place === undefined ? undefined : all[place];
    },
    withCode(code) {
      const same = codes.withCode(code).map(at);
      return same.filter(({ product_code }) => product_code === code);
    },
    put: (product) => put(state, product),
    clear() {
      all.length = 0;
      [placeById, codes, visible].forEach((part) => part.clear());
      state.isChronological = true;
      state.version += 1;
    },
    hidden(nowMs) {
      visible.reveal(nowMs);
      return visible.hidden().map(at);
    },
    listed(nowMs) {
      if (visible.reveal(nowMs)) state.version += 1;
      return listed;
    },
  };
}

function createState(): IndexState {
  const all: SandboxProduct[] = [];
  return {
    all,
    placeById: new Map(),
    codes: createCodeIndex((place) => productAt(all, place).product_code),
    visible: createVisibleProducts((place) => productAt(all, place).status),
    version: 0,
    isChronological: true,
  };
}

function put(state: IndexState, product: SandboxProduct): void {
  const { all, placeById, codes, visible } = state;
  const place = placeById.get(product.id) ?? all.length;
  const before = all[place];
  if (before === undefined) {
    const lastMs = all.at(-1)?.addedAtMs ?? -Infinity;
    state.isChronological &&= lastMs <= product.addedAtMs;
  } else {
    codes.remove(before.product_code, place);
    visible.remove(place);
  }
  placeById.set(product.id, place);
  all[place] = product;
  codes.add(product.product_code, place);
  visible.add(place, product.hiddenUntilMs);
  state.version += 1;
}

function createView(state: IndexState): ListedProducts {
  const { all, placeById, codes, visible } = state;
  return {
    get version() {
      return state.version;
    },
    get isChronological() {
      return state.isChronological;
    },
    inStatus: (status) => visible.inStatus(status),
    isListed: (place) => visible.isListed(place),
    at: (place) => productAt(all, place),
    placeOf: (id) => placeById.get(id),
    withCode: (code) => codes.withCode(code),
    withPrefix: (prefix) => codes.withPrefix(prefix),
  };
}

function productAt(all: readonly SandboxProduct[], place: number): SandboxProduct {
  const product = all[place];
  if (product === undefined) throw new RangeError(`no product is at the place ${place}`);
  return product;
}
