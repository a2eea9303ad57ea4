/** The products of the store, in the order in which they were added. No product is ever removed. */

import { isDeepStrictEqual } from "node:util";

import type { Clock } from "@catalog/clock";
import {
  type ListingStatus,
  type ProductAdd,
  type ProductChanges,
  productId,
  type ProductId,
} from "@catalog/contract";

import { createHashedId } from "../catalog/hashed-id.ts";
import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import { createMissingRefusal } from "../http/refusal.ts";
import { createProductIndex, type ListedProducts } from "./product-index.ts";
import { assertProductFits } from "./product-rules.ts";

/** A stored product: the sent fields, and those that the marketplace adds. */
export interface SandboxProduct extends ProductAdd {
  readonly id: ProductId;
  /** A number that increases with every product. */
  readonly sid: number;
  readonly status: ListingStatus;
  /** Milliseconds since 1970. */
  readonly addedAtMs: number;
  /**
   * No listing shows the product before this time, or before its approval. @default shown at once
   */
  readonly hiddenUntilMs?: number | "approval";
}

/** A product of the start, which was not added by a call. */
export interface InitialProduct {
  readonly product: ProductAdd;
  readonly status: ListingStatus;
  readonly addedAtMs: number;
  readonly hiddenUntilMs?: number | "approval";
}

export interface ProductStateOptions {
  readonly catalog: SandboxCatalog;
  readonly clock: Clock;
  /** Called again by each reset; oldest first. */
  readonly fill: () => readonly InitialProduct[];
}

export interface ProductState {
  /** Number of products. */
  count(): number;
  /** Every product, in the order of addition; a copy. */
  products(): readonly SandboxProduct[];
  product(id: string): SandboxProduct | undefined;
  /** Products with exactly this code, in the order of addition. */
  withCode(code: string): readonly SandboxProduct[];
  /** Products that listings show now. */
  listed(): ListedProducts;
  /** Adds a product; throws a refusal when the catalog does not know a name or id in it. */
  add(product: ProductAdd, hidden?: Pick<SandboxProduct, "hiddenUntilMs">): SandboxProduct;
  /**
   * Updates a product; returns whether anything changed. Throws a refusal for an unknown id or an
   * invalid value.
   */
  update(id: ProductId, changes: ProductChanges): "changed" | "unchanged";
  /** Shows every hidden product. Returns their number. */
  approve(): number;
  reset(): void;
  /** Replaces all products, in this order. */
  load(products: readonly SandboxProduct[]): void;
}

const FIRST_SID = 1_000_001;

export function createProductState({ catalog, clock, fill }: ProductStateOptions): ProductState {
  const index = createProductIndex();

  const keep = ({ product, ...rest }: InitialProduct): SandboxProduct => {
    const kept = { ...product, ...rest, ...identify(index.size) };
    index.put(kept);
    return kept;
  };
  const reset = (): void => {
    index.clear();
    for (const initial of fill()) keep(initial);
  };
  reset();

  return {
    count: () => index.size,
    products: () => index.products(),
    product: (id) => index.get(id),
    withCode: (code) => index.withCode(code),
    listed: () => index.listed(clock.now()),
    add(product, hidden = {}) {
      assertProductFits(catalog, product, product);
      return keep({ product, status: "approved", addedAtMs: clock.now(), ...hidden });
    },
    update(id, changes) {
      const before = index.get(id);
      if (before === undefined) throw createMissingRefusal({ en: "Product", tr: "Ürün" });
      const after = applyChanges(before, changes);
      assertProductFits(catalog, after, changes);
      if (isDeepStrictEqual(before, after)) return "unchanged";
      index.put(after);
      return "changed";
    },
    approve() {
      const waiting = index.hidden(clock.now());
      for (const { hiddenUntilMs: _, ...product } of waiting) index.put(product);
      return waiting.length;
    },
    reset,
    load(saved) {
      index.clear();
      for (const product of saved) index.put(product);
    },
  };
}

/** The ids of the product with this index in the order of addition, from 0. */
export function identify(index: number): Pick<SandboxProduct, "id" | "sid"> {
  const sid = FIRST_SID + index;
  return { id: productId.parse(createHashedId("product", String(sid))), sid };
}

function applyChanges(product: SandboxProduct, changes: ProductChanges): SandboxProduct {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.assign({ ...product }, Object.fromEntries(given));
}
