/** What is known of how the store behaves: what its refusals mean, how soon it shows an add. */

import { type ProductId } from "@catalog/contract";

/** How often a refusal of one kind was looked up, and what came of it. */
export interface SignatureEvidence {
  /** A product was there after all. Once is enough to never believe it again. */
  readonly applied: number;
  readonly notApplied: number;
  /** When it was last found to have left nothing behind. */
  readonly lastSeenMs: number | null;
}

/** One of our own adds, watched until the store shows it. Moments are the marketplace's. */
export interface LagSample {
  readonly productId: ProductId;
  readonly addedMs: number | null;
  /** When it was first seen. */
  readonly shownMs: number | null;
  /** When it was last looked for. */
  readonly lookedMs: number | null;
  /** It has been seen; without a server time that is all there is to know. */
  readonly isShown: boolean;
}

/** What was learnt of one store, over all its runs. Each method that writes is one synced commit. */
export interface ShopBehavior {
  /** Reads what was learnt about a kind of refusal; zeros where nothing was. */
  readSignature(key: string): Promise<SignatureEvidence>;
  /** Adds one finding to what was learnt; `not-applied` is dated, too. */
  noteSignature(key: string, found: "applied" | "not-applied"): Promise<void>;

  /** Begins to watch when the store shows an added product; one that is watched stays as it is. */
  watchLag(productId: ProductId, addedMs: number | null): Promise<void>;
  /** Writes down a look for a watched product; once it was shown, nothing changes any more. */
  noteLagSample(
    productId: ProductId,
    look: { readonly shown: boolean; readonly serverMs: number | null },
  ): Promise<void>;
  /** Reads the latest watched products, at most 200, oldest first. */
  readLagSamples(): Promise<readonly LagSample[]>;
}
