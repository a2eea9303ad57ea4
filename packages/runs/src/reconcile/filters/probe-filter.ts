/** Probes a filter of the listing by asking for products that are known to be there. */

import {
  LISTING_STATUSES,
  type ListingStatus,
  MAX_PAGE_SIZE,
  type ProductId,
  type StoreProduct,
} from "@catalog/contract";

import type { ListingFilter } from "../../ports/filter-proofs.ts";
import type { ListQuery, Marketplace } from "../../ports/marketplace.ts";
import type { ShopBehavior } from "../../ports/shop-behavior.ts";
import { SKEW_MS } from "../find-lost-adds.ts";

export interface ProbeFilterOptions {
  /** The marketplace with its filters as they are. */
  readonly marketplace: Pick<Marketplace, "listProducts">;
  readonly journal: ShopBehavior;
  readonly signal?: AbortSignal | undefined;
}

/** `unknown` where no product is known to probe the filter with. */
export type FilterProbeResult = "works" | "fails" | "unknown";

/** Asks the filter for products that are there; takes two to four calls. */
export async function probeFilter(
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
    const products = (await take(listed, MAX_PAGE_SIZE)).filter(isFit);
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
const MAX_LISTED = 4 * MAX_PAGE_SIZE;

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
