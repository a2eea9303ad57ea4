/**
 * A marketplace that trusts a filter only after it was seen to find a known product. Until then,
 * what a filter does not find is searched for in the whole listing of the status.
 */

import type { Clock } from "@catalog/clock";
import type { ProductId, StoreProduct } from "@catalog/contract";

import {
  type FilterProof,
  type FilterProofs,
  isFreshProof,
  type ListingFilter,
} from "../../ports/filter-proofs.ts";
import type { ListQuery, Marketplace } from "../../ports/marketplace.ts";
import type { ShopBehavior } from "../../ports/shop-behavior.ts";
import { probeFilter } from "./probe-filter.ts";

/** Options of {@link createProvenFilters}: the marketplace to probe, and where proofs are kept. */
export interface ProvenFiltersOptions {
  readonly marketplace: Marketplace;
  readonly proofs: FilterProofs;
  readonly journal: ShopBehavior;
  readonly clock: Pick<Clock, "now">;
}

/** The same marketplace, which can also say whether an empty result of a filter proves absence. */
export type ProvenMarketplace = Marketplace & Required<Pick<Marketplace, "trustsFilter">>;

/**
 * Returns a marketplace whose listings by code and by ids are complete: a product missing from them
 * is absent. A listing by date is passed on as it is; ask `trustsFilter` before its absence counts.
 */
export function createProvenFilters(options: ProvenFiltersOptions): ProvenMarketplace {
  const { marketplace } = options;
  const trust = createFilterTrust(options);
  return {
    ...marketplace,
    trustsFilter: (filter, signal) => trust.trustsFilter(filter, signal),
    listProducts(query) {
      const { code, ids } = query;
      if (ids !== undefined) return listByIds({ marketplace, trust }, query, ids);
      return code === undefined
        ? marketplace.listProducts(query)
        : listByCode({ marketplace, trust }, query, code);
    },
  };
}

interface FilterTrust {
  trustsFilter(filter: ListingFilter, signal?: AbortSignal): Promise<boolean>;
  /** Records that the filter has just found what it was asked for. */
  noteFound(filter: ListingFilter): Promise<void>;
}

function createFilterTrust({
  marketplace,
  proofs,
  journal,
  clock,
}: ProvenFiltersOptions): FilterTrust {
  const known = new Map<ListingFilter, FilterProof>();
  const readFresh = async (filter: ListingFilter): Promise<FilterProof | undefined> => {
    const proof = known.get(filter) ?? (await proofs.readProof(filter));
    if (proof === undefined || !isFreshProof(proof, clock.now())) return undefined;
    known.set(filter, proof);
    return proof;
  };
  const save = async (filter: ListingFilter, works: boolean): Promise<void> => {
    const proof = { works, atMs: clock.now() };
    known.set(filter, proof);
    await proofs.saveProof(filter, proof);
  };
  return {
    async trustsFilter(filter, signal) {
      const proof = await readFresh(filter);
      if (proof !== undefined) return proof.works;
      const finding = await probeFilter(filter, { marketplace, journal, signal });
      // A store without products proves nothing, and may have some a moment later.
      if (finding !== "unknown") await save(filter, finding === "works");
      return finding === "works";
    },
    async noteFound(filter) {
      if ((await readFresh(filter)) === undefined) await save(filter, true);
    },
  };
}

interface Listing {
  readonly marketplace: Pick<Marketplace, "listProducts">;
  readonly trust: FilterTrust;
}

async function* listByCode(
  { marketplace, trust }: Listing,
  query: ListQuery,
  code: string,
): AsyncGenerator<StoreProduct, void, undefined> {
  const { status, signal } = query;
  const passed = new Set<ProductId>();
  let isFound = false;
  for await (const product of marketplace.listProducts(query)) {
    passed.add(product.id);
    isFound ||= product.product_code === code;
    yield product;
  }
  if (isFound) {
    await trust.noteFound("product_code");
    return;
  }
  if (await trust.trustsFilter("product_code", signal)) return;
  for await (const product of marketplace.listProducts({ status, signal })) {
    if (!passed.has(product.id)) yield product;
  }
}

async function* listByIds(
  { marketplace, trust }: Listing,
  query: ListQuery,
  ids: readonly ProductId[],
): AsyncGenerator<StoreProduct, void, undefined> {
  const { status, signal } = query;
  const missing = new Set(ids);
  for await (const product of marketplace.listProducts(query)) {
    missing.delete(product.id);
    // One id that is found proves nothing for a list of ids.
    if (missing.size === 0 && ids.length > 1) await trust.noteFound("ids");
    yield product;
  }
  if (missing.size === 0 || (await trust.trustsFilter("ids", signal))) return;
  for await (const product of marketplace.listProducts({ status, signal })) {
    if (missing.delete(product.id)) yield product;
    if (missing.size === 0) return;
  }
}
