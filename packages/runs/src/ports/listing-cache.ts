/** The last listing of the store. */

import { type ProductId, type StoreProduct } from "@catalog/contract";

/** A product as the last listing showed it. */
export interface SeenProduct {
  readonly codeKey: string;
  /** Codes with only this key in common look the same; it is written, and not read back here. */
  readonly suspectKey?: string | undefined;
  readonly status: string;
  readonly product: StoreProduct;
}

/** The products of one store as they were listed last. Losing it costs a listing and nothing else. */
export interface ListingCache {
  /** Forgets the last listing, in one synced commit. */
  clearSeen(): Promise<void>;
  /**
   * Writes products over what was known of the same ids, in one unsynced commit for all of them. An
   * empty list writes nothing.
   */
  saveSeen(products: readonly SeenProduct[]): Promise<void>;
  /** Reads the products with these codes, in no particular order; several may share a code. */
  readSeenByCode(codeKeys: readonly string[]): Promise<readonly SeenProduct[]>;
  /** Reads the products with these ids, in no particular order. */
  readSeenById(productIds: readonly ProductId[]): Promise<readonly SeenProduct[]>;
}
