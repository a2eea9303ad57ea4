/**
 * A marketplace that trusts a filter only after it was seen to find a known product. Until then,
 * what a filter does not find is searched for in the whole listing of the status.
 */

import type { Clock } from "@catalog/clock";

import type { ShopBehavior } from "../ports/journal.ts";
import {
  type FilterProof,
  type FilterProofs,
  isFreshProof,
  type ListingFilter,
  type ListQuery,
  type Marketplace,
} from "../ports/marketplace.ts";
import {
  LISTING_STATUSES,
  type ListingStatus,
  PAGE_SIZE,
  type ProductId,
  type StoreProduct,
} from "../ports/product.ts";
import { SKEW_MS } from "./find-products.ts";

/** Options of {@link createProvenFilters}: the marketplace to probe, and where proofs are kept. */
interface ProvenFiltersOptions {
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
  let hasCode = false;
  for await (const product of marketplace.listProducts(query)) {
    passed.add(product.id);
    hasCode ||= product.product_code === code;
    yield product;
  }
  if (hasCode) {
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

interface ProbeFilterOptions {
  /** The marketplace with its filters as they are. */
  readonly marketplace: Pick<Marketplace, "listProducts">;
  readonly journal: ShopBehavior;
  readonly signal?: AbortSignal | undefined;
}

/** `unknown` where no product is known to probe the filter with. */
type FilterProbeResult = "works" | "fails" | "unknown";

/** Asks the filter for products that are there; takes two to four calls. */
async function probeFilter(
  filter: ListingFilter,
  options: ProbeFilterOptions,
): Promise<FilterProbeResult> {
  return await PROBES[filter](options);
}

type FilterProbe = (options: ProbeFilterOptions) => Promise<FilterProbeResult>;

const PROBES: Readonly<Record<ListingFilter, FilterProbe>> = {
  product_code: probeCodes,
  ids: probeIds,
  start_date: probeDate,
};

async function probeCodes(options: ProbeFilterOptions): Promise<FilterProbeResult> {
  const { status, products } = await readSample(options, ({ product_code: code }) => hasText(code));
  if (products.length === 0) return "unknown";
  for (const { id, product_code: code } of chooseControls(products)) {
    const found = await isFound(options, { status, code: code ?? "" }, [id]);
    if (!found) return "fails";
  }
  return "works";
}

/** Asks for all ids in one call: a filter may accept one id and not a list. */
async function probeIds(options: ProbeFilterOptions): Promise<FilterProbeResult> {
  const { status, products } = await readSample(options, () => true);
  const ids = products.map(({ id }) => id);
  if (ids.length === 0) return "unknown";
  return (await isFound(options, { status, ids }, ids)) ? "works" : "fails";
}

/**
 * Listed products have no time of addition, so the date filter is asked for one of our own adds.
 */
async function probeDate(options: ProbeFilterOptions): Promise<FilterProbeResult> {
  const samples = await options.journal.readLagSamples();
  const known = samples.findLast(({ isShown, addedMs }) => isShown && addedMs !== null);
  if (known === undefined) return "unknown";
  const addedAfterMs = (known.addedMs ?? 0) - SKEW_MS;
  for (const status of LISTING_STATUSES) {
    if (await isFound(options, { status, addedAfterMs }, [known.productId])) return "works";
  }
  return "fails";
}

interface Sample {
  readonly status: ListingStatus;
  readonly products: readonly StoreProduct[];
}

/** Reads the first page of the first status that has such products. */
async function readSample(
  { marketplace, signal }: ProbeFilterOptions,
  isFit: (product: StoreProduct) => boolean,
): Promise<Sample> {
  for (const status of LISTING_STATUSES) {
    const listed = marketplace.listProducts({ status, signal });
    const products = (await take(listed, PAGE_SIZE)).filter(isFit);
    if (products.length > 0) return { status, products };
  }
  return { status: "approved", products: [] };
}

/** Shapes of codes that a filter may handle differently from plain codes. */
const SHAPES: readonly RegExp[] = [/[^\u0021-\u007e]/u, /\p{Ll}/u];

/**
 * Chooses the product that the listing shows first, which is the newest, and one of each other
 * shape.
 */
function chooseControls(products: readonly StoreProduct[]): ReadonlySet<StoreProduct> {
  const shaped = SHAPES.map((shape) =>
    products.find(({ product_code: code }) => shape.test(code ?? "")),
  );
  return new Set([products[0], ...shaped].filter((product) => product !== undefined));
}

/** Maximum number of products read for a probe; a filter that is ignored lists the whole store. */
const MAX_LISTED = 4 * PAGE_SIZE;

async function isFound(
  { marketplace, signal }: ProbeFilterOptions,
  query: ListQuery,
  ids: readonly ProductId[],
): Promise<boolean> {
  const missing = new Set(ids);
  let listed = 0;
  for await (const { id } of marketplace.listProducts({ ...query, signal })) {
    missing.delete(id);
    listed += 1;
    if (missing.size === 0) return true;
    if (listed >= MAX_LISTED) break;
  }
  return false;
}

async function take<Item>(items: AsyncIterable<Item>, max: number): Promise<readonly Item[]> {
  const taken: Item[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length === max) break;
  }
  return taken;
}

const hasText = (code: string | null | undefined): boolean => (code ?? "").trim() !== "";
