/**
 * A marketplace whose filters are believed once they were seen to find a product that is there. What
 * a filter does not find is looked for in the whole listing of the status until then.
 */

import { type Clock } from "@catalog/clock";
import { type ProductId, type StoreProduct } from "@catalog/contract";

import {
  type FilterProof,
  type FilterProofs,
  isFresh,
  type ListingFilter,
} from "../../ports/filter-proofs.ts";
import { type ListQuery, type Marketplace } from "../../ports/marketplace.ts";
import { type ShopBehavior } from "../../ports/shop-behavior.ts";
import { tryFilter } from "./probe-filter.ts";

/** What {@link createProvenFilters} tries filters with, and where it keeps what they proved. */
export interface ProvenFiltersOptions {
  readonly marketplace: Marketplace;
  readonly proofs: FilterProofs;
  readonly journal: ShopBehavior;
  readonly clock: Pick<Clock, "now">;
}

/** The same marketplace, which can say of each filter whether its silence counts. */
export type ProvenMarketplace = Marketplace & Required<Pick<Marketplace, "mayTrust">>;

/**
 * Listings by code and by ids need no further care: what is missing there is missing. A listing by
 * the date of addition is as the marketplace gives it; ask `mayTrust` before its silence counts.
 */
export function createProvenFilters(options: ProvenFiltersOptions): ProvenMarketplace {
  const { marketplace } = options;
  const trust = createTrust(options);
  return {
    ...marketplace,
    mayTrust: (filter, signal) => trust.mayTrust(filter, signal),
    listProducts(query) {
      const { code, ids } = query;
      if (ids !== undefined) return listByIds({ marketplace, trust }, query, ids);
      return code === undefined
        ? marketplace.listProducts(query)
        : listByCode({ marketplace, trust }, query, code);
    },
  };
}

interface Trust {
  mayTrust(filter: ListingFilter, signal?: AbortSignal): Promise<boolean>;
  /** The filter has just found what it was asked for. */
  noteFound(filter: ListingFilter): Promise<void>;
}

function createTrust({ marketplace, proofs, journal, clock }: ProvenFiltersOptions): Trust {
  const known = new Map<ListingFilter, FilterProof>();
  const readFresh = async (filter: ListingFilter): Promise<FilterProof | undefined> => {
    const proof = known.get(filter) ?? (await proofs.readProof(filter));
    if (proof === undefined || !isFresh(proof, clock.now())) return undefined;
    known.set(filter, proof);
    return proof;
  };
  const save = async (filter: ListingFilter, works: boolean): Promise<void> => {
    const proof = { works, atMs: clock.now() };
    known.set(filter, proof);
    await proofs.saveProof(filter, proof);
  };
  return {
    async mayTrust(filter, signal) {
      const proof = await readFresh(filter);
      if (proof !== undefined) return proof.works;
      const finding = await tryFilter(filter, { marketplace, journal, signal });
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
  readonly trust: Trust;
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
  if (await trust.mayTrust("product_code", signal)) return;
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
    // One id that is found proves nothing for a list of them.
    if (missing.size === 0 && ids.length > 1) await trust.noteFound("ids");
    yield product;
  }
  if (missing.size === 0 || (await trust.mayTrust("ids", signal))) return;
  for await (const product of marketplace.listProducts({ status, signal })) {
    if (missing.delete(product.id)) yield product;
    if (missing.size === 0) return;
  }
}
