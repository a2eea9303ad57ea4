/** What is known of the filters of the product listing: whether each finds what is there. */

/** A filter of the product listing whose silence something rests on. */
export type ListingFilter = "product_code" | "ids" | "start_date";

/** What was found out about a filter, and when by the machine's clock. */
export interface FilterProof {
  readonly works: boolean;
  readonly atMs: number;
}

/** Remembers the proofs of one store. */
export interface FilterProofs {
  readProof(filter: ListingFilter): Promise<FilterProof | undefined>;
  saveProof(filter: ListingFilter, proof: FilterProof): Promise<void>;
}

/** So long a filter that has found a known product is believed without being asked again. */
export const PROVEN_MS: number = 6 * 60 * 60_000;

/** So long after it has not found a known product a filter is not tried again. */
export const FAILED_MS: number = 60 * 60_000;

/** Whether the proof still counts. One from the future is from before the clock was put back. */
export function isFresh({ works, atMs }: FilterProof, nowMs: number): boolean {
  const ageMs = nowMs - atMs;
  return ageMs >= 0 && ageMs < (works ? PROVEN_MS : FAILED_MS);
}
