import { type ListingFilter } from "../../ports/filter-proofs.ts";
import { type Marketplace } from "../../ports/marketplace.ts";

/**
 * Says whether an empty result of a listing filter proves absence. A marketplace without `mayTrust`
 * is trusted.
 */
export async function mayTrust(
  marketplace: Pick<Marketplace, "mayTrust">,
  filter: ListingFilter,
  signal?: AbortSignal,
): Promise<boolean> {
  return (await marketplace.mayTrust?.(filter, signal)) ?? true;
}
