/** Looks up the products of lost adds, code by code or in a listing of recently added products. */

import { MAX_PAGE_SIZE, type StoreProduct } from "@catalog/contract";

import type { Marketplace } from "../ports/marketplace.ts";
import { trustsFilter } from "./filters/trusts-filter.ts";
import { findProducts, type FindProductsQuery, STATUS_SWEEP } from "./find-products.ts";

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
  const max = wanted.length * STATUS_SWEEP.length * MAX_PAGE_SIZE;
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
