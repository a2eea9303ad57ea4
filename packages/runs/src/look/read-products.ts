/** Reads products by their ids over every status, many in one call. */

import { type Clock } from "@catalog/clock";
import { type ListingStatus, type ProductId, type StoreProduct } from "@catalog/contract";

import { type Marketplace } from "../marketplace.ts";
import { SWEEP } from "../sweep.ts";

/** A product as the listing of a status shows it. */
export interface ListedProduct {
  readonly status: ListingStatus;
  readonly product: StoreProduct;
  /** When the answer was read that showed it. */
  readonly atMs: number;
}

export interface ReadProductsOptions {
  readonly marketplace: Pick<Marketplace, "listProducts">;
  /** @default moments are not told */
  readonly clock?: Pick<Clock, "now"> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The products that any status shows; a product that is missing is in none of them. One call for
 * each 50 products that are approved, more for those that are not; none for no product.
 */
export async function readProducts(
  ids: Iterable<ProductId>,
  { marketplace, clock, signal }: ReadProductsOptions,
): Promise<ReadonlyMap<ProductId, ListedProduct>> {
  const missing = new Set(ids);
  const found = new Map<ProductId, ListedProduct>();
  for (const status of SWEEP) {
    if (missing.size === 0) break;
    for await (const product of marketplace.listProducts({ status, ids: [...missing], signal })) {
      // A filter that the marketplace ignores must not make another product speak for this one.
      if (!missing.delete(product.id)) continue;
      found.set(product.id, { status, product, atMs: clock?.now() ?? 0 });
      if (missing.size === 0) break;
    }
  }
  return found;
}

/** The ids of rows that name a product. */
export function idsOf(
  rows: Iterable<{ readonly productId: ProductId | null }>,
): readonly ProductId[] {
  return Array.from(rows, ({ productId }) => productId).filter((id) => id !== null);
}
