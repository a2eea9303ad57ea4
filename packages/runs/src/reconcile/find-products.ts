/**
 * Finds products in the listing: one sweep over its statuses, in an order in which no product is
 * missed. Products whose last status is known are asked for there first; lost adds are looked up
 * code by code or in a listing of recently added products.
 */

import type { Clock } from "@catalog/clock";

import type { ListingCache } from "../ports/journal.ts";
import { type ListQuery, type Marketplace, trustsFilter } from "../ports/marketplace.ts";
import {
  LISTING_STATUSES,
  type ListingStatus,
  PAGE_SIZE,
  type ProductId,
  type StoreProduct,
} from "../ports/product.ts";

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

/**
 * Statuses in which products are looked for by id. A product can slip past the pages of its own
 * status too, when another leaves that status between two pages.
 */
const ID_SWEEP: readonly ListingStatus[] = [...STATUS_SWEEP, "veto"];

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

interface ReadProductsOptions {
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
  await read({ statuses: ID_SWEEP, ids: wanted.filter((id) => !found.has(id)) });
  return found;
}

/** Returns the product ids of rows that name a product. */
export function idsOf(
  rows: Iterable<{ readonly productId: ProductId | null }>,
): readonly ProductId[] {
  return Array.from(rows, ({ productId }) => productId).filter((id) => id !== null);
}

/** One add to look up. */
export interface WantedAdd {
  readonly code: string;
  /**
   * Other spellings of the code that the store may use; searched where the code itself finds
   * nothing.
   */
  readonly variants?: readonly string[];
  /** When its request started, by the marketplace's clock; `null` where that is not known. */
  readonly startedMs: number | null;
}

/** From this number of rows on, a listing by date is tried before looking up each code. */
const MIN_CODES_FOR_WINDOW = 11;

/** How far clocks of the marketplace's servers may differ, in milliseconds. */
export const SKEW_MS: number = 10 * 60_000;

/** Maximum number of products read from the whole listing, over all statuses. */
const MAX_LISTED = 5_000;

/**
 * Returns what the store shows for each of the adds, in whichever way takes fewer calls. Every way
 * reads all statuses, and reads twice those that a product moves between; a call that throws makes
 * the lookup incomplete. `undefined` where no filter is proven and the listing is too long to read.
 */
export async function findLostAdds(
  marketplace: Marketplace,
  wanted: readonly WantedAdd[],
  signal: AbortSignal | undefined,
): Promise<((code: string) => readonly StoreProduct[]) | undefined> {
  const isProven = await trustsFilter(marketplace, "product_code", signal);
  const min = isProven ? MIN_CODES_FOR_WINDOW : 1;
  const listed = await listWindow(marketplace, wanted, { min, signal });
  if (listed !== undefined) return () => listed;
  if (!isProven) {
    const all = await listByQuery(marketplace, { signal }, MAX_LISTED);
    return all && (() => all);
  }
  const byCode = new Map<string, readonly StoreProduct[]>();
  for (const one of wanted) {
    if (!byCode.has(one.code)) byCode.set(one.code, await findWanted(marketplace, one, signal));
  }
  return (code) => byCode.get(code) ?? [];
}

/**
 * Returns every product that the store shows for a code, over all statuses; the filter may be
 * inexact.
 */
export async function findByCode(
  marketplace: Marketplace,
  code: string,
  signal?: AbortSignal,
): Promise<readonly StoreProduct[]> {
  return (await listByQuery(marketplace, { code, signal }, Infinity)) ?? [];
}

async function findWanted(
  marketplace: Marketplace,
  { code, variants = [] }: WantedAdd,
  signal: AbortSignal | undefined,
): Promise<readonly StoreProduct[]> {
  for (const asked of [code, ...variants]) {
    const found = await findByCode(marketplace, asked, signal);
    if (found.length > 0) return found;
  }
  return [];
}

interface WindowOptions {
  /** Below this number of adds a listing is not worth its calls. */
  readonly min: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns `undefined` where looking up each code takes fewer calls, or the date filter is unproven.
 */
async function listWindow(
  marketplace: Marketplace,
  wanted: readonly WantedAdd[],
  { min, signal }: WindowOptions,
): Promise<readonly StoreProduct[] | undefined> {
  const times = wanted.map(({ startedMs }) => startedMs).filter((time) => time !== null);
  if (wanted.length < min || times.length < wanted.length) return undefined;
  if (!(await trustsFilter(marketplace, "start_date", signal))) return undefined;
  const addedAfterMs = Math.min(...times) - SKEW_MS;
  const max = wanted.length * STATUS_SWEEP.length * PAGE_SIZE;
  return await listByQuery(marketplace, { addedAfterMs, signal }, max);
}

/**
 * Returns what the query finds in all statuses; `undefined` where that is more than `max` products.
 */
async function listByQuery(
  marketplace: Marketplace,
  query: FindProductsQuery,
  max: number,
): Promise<readonly StoreProduct[] | undefined> {
  const found: StoreProduct[] = [];
  for await (const { product } of findProducts(marketplace, query)) {
    found.push(product);
    if (found.length > max) return undefined;
  }
  return found;
}
