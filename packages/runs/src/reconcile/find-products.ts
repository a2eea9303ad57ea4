/**
 * Finds products in the listing: one sweep over its statuses, in an order in which no product is
 * missed. Products whose last status is known are asked for there first.
 */

import type { Clock } from "@catalog/clock";
import {
  LISTING_STATUSES,
  type ListingStatus,
  type ProductId,
  type StoreProduct,
} from "@catalog/contract";

import type { ListingCache } from "../ports/listing-cache.ts";
import type { ListQuery, Marketplace } from "../ports/marketplace.ts";

/** The statuses of the product listing (section Product status), in the order of a sweep. */
export const STATUS_SWEEP: readonly ListingStatus[] = [
  "approved",
  "passive",
  "veto",
  // A product that changes its status during the sweep can slip past one pass.
  "approved",
  "passive",
];

type Listing = Pick<Marketplace, "listProducts">;

/** What to find: products by id, by code, by when they were added, or all. */
export interface FindProductsQuery extends Omit<ListQuery, "status"> {
  /** Read one after the other. @default {@link STATUS_SWEEP} */
  readonly statuses?: readonly ListingStatus[] | undefined;
}

/** A product, and the status that lists it. */
export interface FoundProduct {
  readonly status: ListingStatus;
  readonly product: StoreProduct;
}

/**
 * Yields what each status lists for the query, as it is read. A product asked for by id is yielded
 * once, and later statuses are asked only for the ids still missing; an empty list of ids takes no
 * call. Other products are yielded each time that they are listed, and a filter by code may be
 * inexact. Rejects where a status cannot be read: what was yielded until then is incomplete.
 */
export async function* findProducts(
  marketplace: Listing,
  { statuses = STATUS_SWEEP, ...query }: FindProductsQuery,
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
      if (!missing.delete(product.id)) continue;
      yield { status, product };
      // The rest of a listing whose filter is ignored is not needed.
      if (missing.size === 0) return;
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
  /** When the answer that showed it was read, in milliseconds. */
  readonly atMs: number;
}

export interface ReadProductsOptions {
  readonly marketplace: Listing;
  /** Says which status has listed a product last. @default not known */
  readonly journal?: Pick<ListingCache, "readSeenById"> | undefined;
  /** @default `atMs` is not set */
  readonly clock?: Pick<Clock, "now"> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the products that any status shows, by id; a missing id is in no status. Each is asked
 * for in the status that has listed it last, all statuses side by side; what is not there is looked
 * for by a whole sweep. Takes one call for each 50 products of a status; none for an empty list.
 */
export async function readProducts(
  ids: Iterable<ProductId>,
  { marketplace, journal, clock, signal }: ReadProductsOptions,
): Promise<ReadonlyMap<ProductId, ListedProduct>> {
  const wanted = [...new Set(ids)];
  const found = new Map<ProductId, ListedProduct>();
  const read = async (query: FindProductsQuery): Promise<void> => {
    for await (const one of findProducts(marketplace, { ...query, signal })) {
      found.set(one.product.id, { ...one, atMs: clock?.now() ?? 0 });
    }
  };
  const lastListed = Map.groupBy(
    (await journal?.readSeenById(wanted)) ?? [],
    ({ status }) => status,
  );
  await Promise.all(
    LISTING_STATUSES.map((status) =>
      read({
        statuses: [status],
        ids: lastListed.get(status)?.map(({ product }) => product.id) ?? [],
      }),
    ),
  );
  await read({ ids: wanted.filter((id) => !found.has(id)) });
  return found;
}

/** Returns the product ids of rows that name a product. */
export function idsOf(
  rows: Iterable<{ readonly productId: ProductId | null }>,
): readonly ProductId[] {
  return Array.from(rows, ({ productId }) => productId).filter((id) => id !== null);
}
