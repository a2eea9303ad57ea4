/** Learnt behaviour of the store: what its refusals mean, and how soon it shows an add. */

import type { ProductId } from "@catalog/contract";

/** How often refusals of one kind were looked up, and with what result. */
export interface RefusalEvidence {
  /**
   * Refusals after which the product was there. One of them ends the trust in this kind for good.
   */
  readonly applied: number;
  readonly notApplied: number;
  /** When a lookup last found no product after such a refusal, in milliseconds. */
  readonly lastSeenMs: number | null;
}

/** One of our adds, sampled until the store shows it. Times are by the marketplace's clock. */
export interface LagSample {
  readonly productId: ProductId;
  readonly addedMs: number | null;
  /** When the store was first seen to show it. */
  readonly shownMs: number | null;
  /** When it was last looked up. */
  readonly readMs: number | null;
  /** Whether it has been seen; without a server time nothing more is known. */
  readonly isShown: boolean;
}

/**
 * What was learnt of one store, over all its runs. Each method that writes is one synced commit.
 */
export interface ShopBehavior {
  /** Reads what was learnt of a kind of refusal; all zeros where nothing was. */
  readSignature(key: string): Promise<RefusalEvidence>;
  /** Counts one finding for a kind of refusal; `not-applied` is stored with its time. */
  recordSignature(key: string, found: "applied" | "not-applied"): Promise<void>;

  /**
   * Starts a sample of when the store shows an added product; does nothing for a sampled product.
   */
  startLagSample(productId: ProductId, addedMs: number | null): Promise<void>;
  /** Records a lookup of a sampled product; once the product was seen, nothing changes any more. */
  recordLagSample(
    productId: ProductId,
    reading: { readonly shown: boolean; readonly serverMs: number | null },
  ): Promise<void>;
  /** Reads the latest samples, at most 200, oldest first. */
  readLagSamples(): Promise<readonly LagSample[]>;
}
