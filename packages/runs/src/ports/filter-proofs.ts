/**
 * What is known of the filters of the product listing: whether each finds a product that is there.
 */

/** A filter of the product listing whose empty result is used as evidence. */
export type ListingFilter = "product_code" | "ids" | "start_date";

/** What a probe of a filter found, and when by this machine's clock. */
export interface FilterProof {
  readonly works: boolean;
  readonly atMs: number;
}

/** The remembered filter proofs of one store. */
export interface FilterProofs {
  readProof(filter: ListingFilter): Promise<FilterProof | undefined>;
  saveProof(filter: ListingFilter, proof: FilterProof): Promise<void>;
}

/**
 * How long a filter that has found a known product is trusted without a new probe, in milliseconds.
 */
export const PROOF_LIFE_MS: number = 6 * 60 * 60_000;

/** How long a filter that missed a known product is not probed again, in milliseconds. */
export const FAILURE_LIFE_MS: number = 60 * 60_000;

/**
 * Says whether the proof still counts. A proof from the future does not: the clock was put back.
 */
export function isFreshProof({ works, atMs }: FilterProof, nowMs: number): boolean {
  const ageMs = nowMs - atMs;
  return ageMs >= 0 && ageMs < (works ? PROOF_LIFE_MS : FAILURE_LIFE_MS);
}
