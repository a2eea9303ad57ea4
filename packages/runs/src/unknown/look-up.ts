/** Looks for the products of lost adds: code by code, or all that were added lately. */

import { MAX_PAGE_SIZE, type StoreProduct } from "@catalog/contract";

import { type Marketplace } from "../marketplace.ts";
import { SWEEP } from "../plan-run.ts";

/** One add to look for. */
export interface Wanted {
  readonly code: string;
  /** When its request began, by the marketplace's time; `null` where that is not known. */
  readonly begunMs: number | null;
}

/** Rows from which on the products of a time are listed rather than each code looked up. */
const LEAST_FOR_WINDOW = 11;

/** Clocks of one marketplace may differ among themselves. */
const SKEW_MS = 10 * 60_000;

/**
 * What the store shows for each of the adds, whichever way costs fewer calls. Both go over every
 * status, and twice over those that a product moves between; what throws on the way is no look.
 */
export async function lookUp(
  marketplace: Marketplace,
  wanted: readonly Wanted[],
  signal: AbortSignal | undefined,
): Promise<(code: string) => readonly StoreProduct[]> {
  const listed = await listWindow(marketplace, wanted, signal);
  if (listed !== undefined) return () => listed;
  const byCode = new Map<string, readonly StoreProduct[]>();
  for (const { code } of wanted) {
    if (!byCode.has(code)) byCode.set(code, await sweep(marketplace, code, signal));
  }
  return (code) => byCode.get(code) ?? [];
}

/** Every product that the store shows for a code, over all statuses; its filter may be inexact. */
export async function sweep(
  marketplace: Marketplace,
  code: string,
  signal?: AbortSignal,
): Promise<readonly StoreProduct[]> {
  const found: StoreProduct[] = [];
  for (const status of SWEEP) {
    for await (const product of marketplace.listProducts({ status, code, signal })) {
      found.push(product);
    }
  }
  return found;
}

/** `undefined` where looking code by code is cheaper, or no time to begin at is known. */
async function listWindow(
  marketplace: Marketplace,
  wanted: readonly Wanted[],
  signal: AbortSignal | undefined,
): Promise<readonly StoreProduct[] | undefined> {
  const moments = wanted.map(({ begunMs }) => begunMs).filter((moment) => moment !== null);
  if (wanted.length < LEAST_FOR_WINDOW || moments.length < wanted.length) return undefined;
  const addedAfterMs = Math.min(...moments) - SKEW_MS;
  const most = wanted.length * SWEEP.length * MAX_PAGE_SIZE;
  const found: StoreProduct[] = [];
  for (const status of SWEEP) {
    for await (const product of marketplace.listProducts({ status, addedAfterMs, signal })) {
      found.push(product);
      if (found.length > most) return undefined;
    }
  }
  return found;
}
