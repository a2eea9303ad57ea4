/** Finds products in the listing: the one sweep over its statuses, in an order that lets none slip past. */

import { type Clock } from "@catalog/clock";
import { type ListingStatus, type ProductId, type StoreProduct } from "@catalog/contract";

import { type ListQuery, type Marketplace } from "../ports/marketplace.ts";

/** The statuses under which a product can be listed, in the order of a sweep. */
export const SWEEP: readonly ListingStatus[] = [
  "approved",
  "passive",
  "veto",
  // A product that changes its status while we look can slip past one pass.
  "approved",
  "passive",
];

type Listing = Pick<Marketplace, "listProducts">;

/** What to find: products by id, by code, by when they were added, or all. */
export interface FindProductsQuery extends Omit<ListQuery, "status"> {
  /** Asked one after the other. @default {@link SWEEP} */
  readonly statuses?: readonly ListingStatus[] | undefined;
}

/** A product, and the status that lists it. */
export interface FoundProduct {
  readonly status: ListingStatus;
  readonly product: StoreProduct;
}

/**
 * Yields what each status lists for the query, as it is read. Of products asked for by id each comes
 * once, and the statuses after that are asked only for the ids still missing; no id takes no call.
 * Other products come once for each time that they are listed, and a filter by code may be inexact.
 * Rejects where a status cannot be read: what has come until then is not all there is.
 */
export async function* findProducts(
  marketplace: Listing,
  { statuses = SWEEP, ...query }: FindProductsQuery,
): AsyncGenerator<FoundProduct, void, undefined> {
  if (query.ids !== undefined) {
    yield* findByIds(marketplace, { ids: query.ids, statuses, signal: query.signal });
    return;
  }
  for (const status of statuses) {
    for await (const product of marketplace.listProducts({ ...query, status })) {
      yield { status, product };
    }
  }
}

async function* findByIds(
  marketplace: Listing,
  { statuses, ids, signal }: IdQuery,
): AsyncGenerator<FoundProduct, void, undefined> {
  const missing = new Set(ids);
  for (const status of statuses) {
    if (missing.size === 0) return;
    for await (const product of marketplace.listProducts({ status, ids: [...missing], signal })) {
      // A filter that the marketplace ignores must not make another product speak for this one.
      if (missing.delete(product.id)) yield { status, product };
    }
  }
}

interface IdQuery {
  readonly ids: readonly ProductId[];
  readonly statuses: readonly ListingStatus[];
  readonly signal: AbortSignal | undefined;
}

/** A product as the listing of a status shows it. */
export interface ListedProduct extends FoundProduct {
  /** When the answer was read that showed it. */
  readonly atMs: number;
}

export interface ReadProductsOptions {
  readonly marketplace: Listing;
  /** @default moments are not told */
  readonly clock?: Pick<Clock, "now"> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The products that any status shows, by id; a product that is missing is in none of them. One call
 * for each 50 products that are approved, more for those that are not; none for no product.
 */
export async function readProducts(
  ids: Iterable<ProductId>,
  { marketplace, clock, signal }: ReadProductsOptions,
): Promise<ReadonlyMap<ProductId, ListedProduct>> {
  const wanted = new Set(ids);
  const found = new Map<ProductId, ListedProduct>();
  for await (const one of findProducts(marketplace, { ids: [...wanted], signal })) {
    found.set(one.product.id, { ...one, atMs: clock?.now() ?? 0 });
    // The rest of the page, and whether there is another one, tells nothing more.
    if (found.size === wanted.size) break;
  }
  return found;
}

/** The ids of rows that name a product. */
export function idsOf(
  rows: Iterable<{ readonly productId: ProductId | null }>,
): readonly ProductId[] {
  return Array.from(rows, ({ productId }) => productId).filter((id) => id !== null);
}
