/**
 * Reads products that a feed is about to change from the store again before their rows are decided,
 * as what is known of them may be a day old and their prices may have been changed elsewhere.
 */

import type { Connection } from "@catalog/connection";
import { MAX_PAGE_SIZE, type ProductId } from "@catalog/contract";
import {
  type BeforeValue,
  RECHECK_MAX_AGE_MS,
  type PriceUnit,
  readProducts,
  type RowDecision,
  type ListedProductRow,
} from "@catalog/runs";

import type { FeedProduct, ShownProduct } from "./feed-store.ts";
import { keepPrices, toShown } from "./refresh-listing.ts";

export interface FreshProducts {
  /** Reads the products, 50 a call, and stores what they show in the state of the feeds. */
  refresh(ids: readonly ProductId[]): Promise<void>;
  /** Values read for the products that the rows change. */
  toBefore(rows: readonly { readonly decision: RowDecision }[]): readonly BeforeValue[];
  /** Earliest time at which one of them was read; infinite where none was. */
  readonly readAtMs: number;
}

export interface FreshProductsOptions {
  readonly refresh: number;
  readonly priceUnit: PriceUnit;
  /** When the whole listing was read last. */
  readonly refreshedAtMs: number | null;
  readonly signal?: AbortSignal | undefined;
}

type FreshTools = Pick<Connection, "memory" | "marketplace" | "clock">;

export function createFreshProducts(
  tools: FreshTools,
  options: FreshProductsOptions,
): FreshProducts {
  const {
    memory: { feedState },
    clock,
  } = tools;
  const { refreshedAtMs } = options;
  const read = new Map<ProductId, ListedProductRow["product"]>();
  let readAtMs = -Infinity;
  const note = (
    products: readonly Pick<FeedProduct, "productId" | "shown">[],
    atMs: number,
  ): void => {
    if (products.length > 0 && read.size === 0) readAtMs = atMs;
    for (const { productId, shown } of products) read.set(productId, shown);
  };
  return {
    async refresh(ids) {
      const known = await feedState.readById(ids);
      const ageMs = clock.now() - (refreshedAtMs ?? -Infinity);
      const isYoung = ageMs >= 0 && ageMs < RECHECK_MAX_AGE_MS;
      // The last reading of the listing does not show what was sent since.
      const swept = isYoung ? known.filter(({ sent }) => Object.keys(sent).length === 0) : [];
      note(swept, refreshedAtMs ?? -Infinity);
      const missing = ids.filter((id) => !read.has(id));
      const atMs = clock.now();
      note(await readFresh(tools, options, missing), atMs);
    },
    toBefore: (rows) =>
      rows.flatMap(({ decision: { row, action, productId } }) => {
        const product = productId === null ? undefined : read.get(productId);
        return action === "update" && product !== undefined ? [{ row, product }] : [];
      }),
    get readAtMs() {
      return readAtMs;
    },
  };
}

async function readFresh(
  { memory: { feedState }, marketplace }: FreshTools,
  { refresh, priceUnit, signal }: FreshProductsOptions,
  ids: readonly ProductId[],
): Promise<readonly ShownProduct[]> {
  const found: ShownProduct[] = [];
  for (let at = 0; at < ids.length; at += MAX_PAGE_SIZE) {
    const some = ids.slice(at, at + MAX_PAGE_SIZE);
    const stored = await feedState.readById(some);
    const sentOf = new Map(stored.map(({ productId, sent }) => [productId, sent]));
    for (const { status, product } of (
      await readProducts(some, { marketplace, signal })
    ).values()) {
      const sent = priceUnit === "unknown" ? sentOf.get(product.id) : undefined;
      found.push(toShown(product, status, sent === undefined ? {} : keepPrices(sent)));
    }
  }
  await feedState.saveShown(refresh, found);
  return found;
}
