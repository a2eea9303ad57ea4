/**
 * Reads the store's products for the rows of a run into the journal. It only reads from the
 * marketplace.
 */

import {
  LISTING_STATUSES,
  type ListingStatus,
  MAX_PAGE_SIZE,
  type ProductId,
  type StoreProduct,
} from "@catalog/contract";

import type { Journal } from "../ports/journal.ts";
import type { ListedProductRow } from "../ports/listing-cache.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import { readAllRows } from "../ports/read-all-rows.ts";
import { trustsFilter } from "../reconcile/filters/trusts-filter.ts";
import { findProducts, type FindProductsQuery, STATUS_SWEEP } from "../reconcile/find-products.ts";
import { toServerMs } from "../reconcile/visibility/visibility.ts";
import { type CodeNormalization, codeVariants, normalizeCode } from "./codes/code-normalization.ts";
import type { LookAlikeOptions } from "./codes/look-alike-codes.ts";

/** The run whose products are read, and the ports to read and store them. */
export interface ReadListingOptions {
  readonly runId: string;
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  /** Product codes with the same key are the same product. */
  readonly codeKey: (code: string) => string;
  readonly lookAlikes?: LookAlikeOptions | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How and when the store's products were read. */
export interface ListingRead {
  /** How the store's products were read. */
  readonly readBy: "listing" | "lookups";
  /** When the reading started, by the marketplace's clock. */
  readonly readMs: number | null;
}

/** Products written to the journal, and rows read from it, at a time. */
const BATCH_ROWS = 200;

/** Reads the products that the rows may refer to, in the way that takes fewer calls. */
export async function readListing(
  options: ReadListingOptions,
  rows: number,
  normalization: CodeNormalization = [],
): Promise<ListingRead> {
  const { journal, marketplace, signal } = options;
  await journal.clearSeen();
  const pages = new Map<ListingStatus, number>();
  for (const status of LISTING_STATUSES) {
    const products = await marketplace.countProducts(status, signal);
    pages.set(status, Math.ceil(products / MAX_PAGE_SIZE));
  }
  const readMs = toServerMs(marketplace);
  const sweepPages = STATUS_SWEEP.reduce((sum, status) => sum + (pages.get(status) ?? 0), 0);
  const isCheaper =
    sweepPages <= rows * STATUS_SWEEP.length || sweepPages <= (await countLookups(options));
  if (isCheaper || !(await trustsFilter(marketplace, "product_code", signal))) {
    await saveFound(options, {});
    return { readBy: "listing", readMs };
  }
  await findRows(options, normalization);
  return { readBy: "lookups", readMs };
}

async function saveFound(
  { journal, marketplace, codeKey, lookAlikes, signal }: ReadListingOptions,
  query: FindProductsQuery,
): Promise<void> {
  let batch: ListedProductRow[] = [];
  for await (const { product, status } of findProducts(marketplace, { ...query, signal })) {
    batch.push(
      toListedProductRow(product, status, { codeKey, suspectKey: lookAlikes?.suspectKey }),
    );
    if (batch.length < BATCH_ROWS) continue;
    await journal.saveSeen(batch);
    batch = [];
  }
  await journal.saveSeen(batch);
}

/** How product codes are compared. */
export interface ProductKeys {
  readonly codeKey: (code: string) => string;
  readonly suspectKey: ((code: string) => string) | undefined;
}

/** Converts a listed product into an entry of the listing cache. */
export function toListedProductRow(
  product: StoreProduct,
  status: ListingStatus,
  { codeKey, suspectKey }: ProductKeys,
): ListedProductRow {
  const code = product.product_code ?? "";
  return { codeKey: codeKey(code), suspectKey: suspectKey?.(code), status, product };
}

/** Counts the calls of looking up each row, with the variants of its code. */
async function countLookups(options: ReadListingOptions): Promise<number> {
  let calls = 0;
  for await (const rows of readAllRows(options.journal, options.runId, {}, BATCH_ROWS)) {
    for (const { code } of rows) calls += STATUS_SWEEP.length + countVariants(options, code);
  }
  return calls;
}

const countVariants = ({ lookAlikes }: ReadListingOptions, code: string | null): number =>
  lookAlikes === undefined || lookAlikes.isAllowed === true || code === null
    ? 0
    : codeVariants(code).length * LISTING_STATUSES.length;

/** The filter may be exact, so the variants of a code that it does not find are searched too. */
export async function findVariants(options: ReadListingOptions, code: string): Promise<void> {
  if (countVariants(options, code) === 0) return;
  for (const variant of codeVariants(code)) {
    await saveFound(options, { statuses: LISTING_STATUSES, code: variant });
  }
}

async function findRows(
  options: ReadListingOptions,
  normalization: CodeNormalization,
): Promise<void> {
  const found = new Set<string>();
  for await (const rows of readAllRows(options.journal, options.runId, {}, BATCH_ROWS)) {
    for (const { code, codeKey } of rows) {
      if (code === null || codeKey === null || found.has(codeKey)) continue;
      found.add(codeKey);
      for (const asked of new Set([code, normalizeCode(normalization, code)])) {
        await saveFound(options, { code: asked });
      }
    }
  }
}

/** Looks up rows by product id; they are known only after their cells were read. */
export async function findIds(
  options: ReadListingOptions,
  productIds: readonly ProductId[],
): Promise<void> {
  for (let at = 0; at < productIds.length; at += MAX_PAGE_SIZE) {
    const ids = productIds.slice(at, at + MAX_PAGE_SIZE);
    // Each status is asked for all ids, because the last status that lists a product is its current
    // one.
    for (const status of STATUS_SWEEP) await saveFound(options, { statuses: [status], ids });
  }
}
