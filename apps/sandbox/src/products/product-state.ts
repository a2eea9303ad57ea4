/** The products of the one store, in the order in which they were added. Nothing is ever removed. */

import { isDeepStrictEqual } from "node:util";

import { type Clock } from "@catalog/clock";
import {
  type ListingStatus,
  type ProductAdd,
  type ProductChanges,
  productId,
  type ProductId,
} from "@catalog/contract";

import { createHashedId } from "../catalog/hashed-id.ts";
import { type SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import { createMissingRefusal } from "../http/refusal.ts";
import { assertProductFits } from "./product-rules.ts";

/** A product as the store keeps it: what was sent, and what the marketplace adds. */
export interface SandboxProduct extends ProductAdd {
  readonly id: ProductId;
  /** Number that goes up with every product. */
  readonly sid: number;
  readonly status: ListingStatus;
  /** Milliseconds since 1970. */
  readonly addedAtMs: number;
  /** No listing shows it before this moment, or before its approval. @default shown at once */
  readonly hiddenUntilMs?: number | "approval";
}

/** A product to start with, which did not come by the add call. */
export interface InitialProduct {
  readonly product: ProductAdd;
  readonly status: ListingStatus;
  readonly addedAtMs: number;
  readonly hiddenUntilMs?: number | "approval";
}

export interface StoreStateOptions {
  readonly catalog: SandboxCatalog;
  readonly clock: Clock;
  /** Called again by each reset; oldest first. */
  readonly fill: () => readonly InitialProduct[];
}

export interface StoreState {
  /** Every product, in the order of addition. */
  products(): readonly SandboxProduct[];
  product(id: string): SandboxProduct | undefined;
  /** Those that listings show now, in the order of addition. */
  listed(): readonly SandboxProduct[];
  /** Throws a refusal when the catalog does not know what the product names. */
  add(product: ProductAdd, hidden?: Pick<SandboxProduct, "hiddenUntilMs">): SandboxProduct;
  /** Says whether anything changed; throws a refusal for an unknown id or a value that misfits. */
  update(id: ProductId, changes: ProductChanges): "changed" | "unchanged";
  /** Shows every product that is hidden. Says how many there were. */
  approve(): number;
  reset(): void;
  /** Replaces all products, in this order. */
  load(products: readonly SandboxProduct[]): void;
}

const FIRST_SID = 1_000_001;

export function createStoreState({ catalog, clock, fill }: StoreStateOptions): StoreState {
  /** A map keeps the order of addition and finds by id; setting again keeps the place. */
  const products = new Map<string, SandboxProduct>();

  const isHidden = ({ hiddenUntilMs: until }: SandboxProduct): boolean =>
    until === "approval" || (until !== undefined && clock.now() < until);
  const keep = ({ product, ...rest }: InitialProduct): SandboxProduct => {
    const kept = { ...product, ...rest, ...identify(products.size) };
    products.set(kept.id, kept);
    return kept;
  };
  const reset = (): void => {
    products.clear();
    for (const initial of fill()) keep(initial);
  };
  reset();

  return {
    products: () => [...products.values()],
    product: (id) => products.get(id),
    listed: () => [...products.values()].filter((product) => !isHidden(product)),
    add(product, hidden = {}) {
      assertProductFits(catalog, product, product);
      return keep({ product, status: "approved", addedAtMs: clock.now(), ...hidden });
    },
    update(id, changes) {
      const before = products.get(id);
      if (before === undefined) throw createMissingRefusal({ en: "Product", tr: "Ürün" });
      const after = applyChanges(before, changes);
      assertProductFits(catalog, after, changes);
      if (isDeepStrictEqual(before, after)) return "unchanged";
      products.set(id, after);
      return "changed";
    },
    approve() {
      const waiting = [...products.values()].filter(isHidden);
      for (const { hiddenUntilMs: _, ...product } of waiting) products.set(product.id, product);
      return waiting.length;
    },
    reset,
    load(saved) {
      products.clear();
      for (const product of saved) products.set(product.id, product);
    },
  };
}

/** The ids of the product that was added as the so-many-th, counted from 0. */
export function identify(index: number): Pick<SandboxProduct, "id" | "sid"> {
  const sid = FIRST_SID + index;
  return { id: productId.parse(createHashedId("product", String(sid))), sid };
}

function applyChanges(product: SandboxProduct, changes: ProductChanges): SandboxProduct {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.assign({ ...product }, Object.fromEntries(given));
}
