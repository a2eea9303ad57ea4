/** The last listing of the store. */

import type { ProductId, StoreProduct } from "@catalog/contract";

/** A product as the last listing showed it. */
export interface ListedProductRow {
  readonly codeKey: string;
  /** Codes that share only this key look alike; it is written, and not read back here. */
  readonly suspectKey?: string | undefined;
  readonly status: string;
  readonly product: StoreProduct;
}

/**
 * The products of one store as they were listed last. It can be read again from the marketplace.
 */
export interface ListingCache {
  /** Deletes the cached listing, in one synced commit. */
  clearSeen(): Promise<void>;
  /**
   * Replaces what is cached for the same ids, in one unsynced commit for all products. An empty
   * list writes nothing.
   */
  saveSeen(products: readonly ListedProductRow[]): Promise<void>;
  /** Returns which of these codes have a product. */
  readSeenCodes(codeKeys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Reads the products with these codes, in no particular order; several may share a code. */
  readSeenByCode(codeKeys: readonly string[]): Promise<readonly ListedProductRow[]>;
  /** Reads the products with these ids, in no particular order. */
  readSeenById(productIds: readonly ProductId[]): Promise<readonly ListedProductRow[]>;
}
