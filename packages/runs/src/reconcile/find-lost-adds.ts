/** Looks for the products of lost adds: code by code, or all that were added lately. */

import { MAX_PAGE_SIZE, type StoreProduct } from "@catalog/contract";

import { type Marketplace } from "../ports/marketplace.ts";
import { mayTrust } from "./filters/trusts-filter.ts";
import { findProducts, type FindProductsQuery, SWEEP } from "./find-products.ts";

/** One add to look for. */
export interface Wanted {
  readonly code: string;
  /** Other ways in which the store may have written it; asked for where the code finds nothing. */
  readonly variants?: readonly string[];
  /** When its request began, by the marketplace's time; `null` where that is not known. */
  readonly begunMs: number | null;
}

/** Rows from which on the products of a time are listed rather than each code looked up. */
const LEAST_FOR_WINDOW = 11;

/** Clocks of one marketplace may differ among themselves. */
export const SKEW_MS: number = 10 * 60_000;

/** Products read from the whole listing, over all statuses, before looking there is given up. */
const MAX_LISTED = 5_000;

/**
 * What the store shows for each of the adds, whichever way costs fewer calls. All ways go over every
 * status, and twice over those that a product moves between; what throws on the way is no look.
 * `undefined` where no filter is proven to find what is there and the listing is too long to be read.
 */
export async function lookUp(
  marketplace: Marketplace,
  wanted: readonly Wanted[],
  signal: AbortSignal | undefined,
): Promise<((code: string) => readonly StoreProduct[]) | undefined> {
  const isProven = await mayTrust(marketplace, "product_code", signal);
  const least = isProven ? LEAST_FOR_WINDOW : 1;
  const listed = await listWindow(marketplace, wanted, { least, signal });
  if (listed !== undefined) return () => listed;
  if (!isProven) {
    const all = await sweepBy(marketplace, { signal }, MAX_LISTED);
    return all && (() => all);
  }
  const byCode = new Map<string, readonly StoreProduct[]>();
  for (const one of wanted) {
    if (!byCode.has(one.code)) byCode.set(one.code, await sweepFor(marketplace, one, signal));
  }
  return (code) => byCode.get(code) ?? [];
}

/** Every product that the store shows for a code, over all statuses; its filter may be inexact. */
export async function sweep(
  marketplace: Marketplace,
  code: string,
  signal?: AbortSignal,
): Promise<readonly StoreProduct[]> {
  return (await sweepBy(marketplace, { code, signal }, Infinity)) ?? [];
}

async function sweepFor(
  marketplace: Marketplace,
  { code, variants = [] }: Wanted,
  signal: AbortSignal | undefined,
): Promise<readonly StoreProduct[]> {
  for (const asked of [code, ...variants]) {
    const found = await sweep(marketplace, asked, signal);
    if (found.length > 0) return found;
  }
  return [];
}

interface WindowOptions {
  /** Fewer adds are not worth it. */
  readonly least: number;
  readonly signal: AbortSignal | undefined;
}

/** `undefined` where looking code by code is cheaper, or the filter by date cannot be used. */
async function listWindow(
  marketplace: Marketplace,
  wanted: readonly Wanted[],
  { least, signal }: WindowOptions,
): Promise<readonly StoreProduct[] | undefined> {
  const moments = wanted.map(({ begunMs }) => begunMs).filter((moment) => moment !== null);
  if (wanted.length < least || moments.length < wanted.length) return undefined;
  if (!(await mayTrust(marketplace, "start_date", signal))) return undefined;
  const addedAfterMs = Math.min(...moments) - SKEW_MS;
  const max = wanted.length * SWEEP.length * MAX_PAGE_SIZE;
  return await sweepBy(marketplace, { addedAfterMs, signal }, max);
}

/** What the query finds in all statuses; `undefined` where that is more than `max` products. */
async function sweepBy(
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
