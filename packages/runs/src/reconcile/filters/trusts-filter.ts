import type { ListingFilter } from "../../ports/filter-proofs.ts";
import type { Marketplace } from "../../ports/marketplace.ts";

/**
 * Says whether an empty result of a listing filter proves absence. A marketplace without
 * `trustsFilter` is trusted.
 */
export async function trustsFilter(
  marketplace: Pick<Marketplace, "trustsFilter">,
  filter: ListingFilter,
  signal?: AbortSignal,
): Promise<boolean> {
  return (await marketplace.trustsFilter?.(filter, signal)) ?? true;
}
