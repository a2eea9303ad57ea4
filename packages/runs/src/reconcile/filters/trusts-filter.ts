import { type ListingFilter } from "../../ports/filter-proofs.ts";
import { type Marketplace } from "../../ports/marketplace.ts";

/**
 * Whether what a filter of the listing does not find is not there. Filters of a marketplace that
 * cannot tell are believed.
 */
export async function mayTrust(
  marketplace: Pick<Marketplace, "mayTrust">,
  filter: ListingFilter,
  signal?: AbortSignal,
): Promise<boolean> {
  return (await marketplace.mayTrust?.(filter, signal)) ?? true;
}
