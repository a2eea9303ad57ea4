/** The products of orders, comments and questions: the store's first products, and older ones. */

import { productId } from "@catalog/contract";

import { createHashedId } from "../catalog/hashed-id.ts";
import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import { identify, type InitialProduct, type SandboxProduct } from "../products/product-state.ts";
import { createSeedProducts } from "../products/seed-products.ts";

export interface SoldProductsOptions {
  readonly catalog: SandboxCatalog;
  /** Number of products that the store started with. */
  readonly count: number;
  /** Time of the start. */
  readonly nowMs: number;
}

/** Number of products with a history. */
export const SOLD_COUNT = 120;

const OLD_PREFIX = "ESK";
const FIRST_OLD_SID = 900_001;
const OLD_AGE_MS = 400 * 24 * 60 * 60 * 1000;

/**
 * Creates `SOLD_COUNT` products, always the same ones for the same start: those that the store
 * started with, completed by ones that it no longer lists.
 */
export function createSoldProducts(options: SoldProductsOptions): readonly SandboxProduct[] {
  const { catalog, nowMs, count } = options;
  const listed = createSeedProducts({ ...options, first: SOLD_COUNT });
  const old = createSeedProducts({
    catalog,
    count: Math.max(0, SOLD_COUNT - count),
    nowMs: nowMs - OLD_AGE_MS,
    prefix: OLD_PREFIX,
  });
  return [...listed.map(toListed), ...old.map(toOld)];
}

function toListed({ product, ...rest }: InitialProduct, index: number): SandboxProduct {
  return { ...product, ...rest, ...identify(index) };
}

function toOld({ product, addedAtMs }: InitialProduct, index: number): SandboxProduct {
  const id = productId.parse(createHashedId("old product", product.product_code));
  return { ...product, addedAtMs, status: "passive", id, sid: FIRST_OLD_SID + index };
}
