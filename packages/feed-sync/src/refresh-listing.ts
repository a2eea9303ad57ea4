/**
 * Reads the whole listing into the state of the feeds and removes products that are no longer
 * listed.
 */

import type { Connection } from "@catalog/connection";
import { LISTING_STATUSES, type StoreProduct } from "@catalog/contract";
import { codeKey } from "@catalog/mapping";
import {
  findProducts,
  type FoundProduct,
  type PriceUnit,
  createPriceUnitCount,
  type PriceUnitCount,
} from "@catalog/runs";

import type { FeedState, SentFields, ShownProduct } from "./feed-store.ts";

type RefreshTools = Pick<Connection, "memory" | "marketplace" | "journal">;

export interface RefreshListingOptions {
  readonly priceUnit: PriceUnit;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((products: number) => void) | undefined;
}

export interface RefreshedListing {
  readonly products: number;
  readonly refresh: number;
  /**
   * Unit in which this reading shows prices that we sent; the known unit where no price tells it.
   */
  readonly priceUnit: PriceUnit;
}

/** Products saved at a time. */
const BATCH_ROWS = 200;

/**
 * Reads every status once, and reads products that no status showed by their ids before they are
 * removed.
 */
export async function refreshListing(
  tools: RefreshTools,
  options: RefreshListingOptions,
): Promise<RefreshedListing> {
  const {
    memory: { feedState },
    marketplace,
  } = tools;
  const { signal, priceUnit } = options;
  await feedState.applySentChanges();
  const refresh = await feedState.beginRefresh();
  const units = createPriceUnitCount();
  let products = 0;
  const save = async (batch: readonly FoundProduct[]): Promise<void> => {
    if (priceUnit === "unknown") await noteSent(tools, batch, units);
    await saveBatch(feedState, { batch, refresh, priceUnit, units });
    products += batch.length;
    options.onProgress?.(products);
  };
  await eachBatch(findProducts(marketplace, { statuses: LISTING_STATUSES, signal }), save);
  const missed = await feedState.readUnrefreshed(refresh);
  for (const status of LISTING_STATUSES) {
    // The products that were missed are read in each status; the last status that lists a product
    // is its present one.
    const query = { statuses: [status], ids: missed, signal };
    await eachBatch(findProducts(marketplace, query), save);
  }
  await feedState.forget(await feedState.readUnrefreshed(refresh));
  await feedState.applySentChanges();
  const told = units.unit();
  return { products, refresh, priceUnit: told === "unknown" ? priceUnit : told };
}

async function eachBatch(
  products: AsyncIterable<FoundProduct>,
  save: (batch: readonly FoundProduct[]) => Promise<void>,
): Promise<void> {
  let batch: FoundProduct[] = [];
  for await (const product of products) {
    batch.push(product);
    if (batch.length < BATCH_ROWS) continue;
    await save(batch);
    batch = [];
  }
  if (batch.length > 0) await save(batch);
}

/** Prices sent before the last reading are not in the state of the feeds, and tell the unit too. */
async function noteSent(
  { journal }: RefreshTools,
  batch: readonly FoundProduct[],
  units: Pick<PriceUnitCount, "note">,
): Promise<void> {
  const sent = await journal.readLastSent(batch.map(({ product }) => product.id));
  for (const { product } of batch) units.note(sent.get(product.id)?.price, product.price);
}

interface FoundBatch {
  readonly batch: readonly FoundProduct[];
  readonly refresh: number;
  readonly priceUnit: PriceUnit;
  readonly units: Pick<PriceUnitCount, "note">;
}

async function saveBatch(
  feeds: FeedState,
  { batch, refresh, priceUnit, units }: FoundBatch,
): Promise<void> {
  const stored = await feeds.readById(batch.map(({ product }) => product.id));
  const known = new Map(stored.map((one) => [one.productId, one]));
  const shown = batch.map(({ product, status }): ShownProduct => {
    const sent = known.get(product.id)?.sent ?? {};
    units.note(sent.price, product.price);
    return toShown(product, status, priceUnit === "unknown" ? keepPrices(sent) : {});
  });
  await feeds.saveShown(refresh, shown);
}

/** The product as the state of the feeds stores it. */
export function toShown(product: StoreProduct, status: string, sent: SentFields): ShownProduct {
  const { id, product_code, price, currency, stock } = product;
  const { has_discount, discount_type, discount_value } = product;
  return {
    productId: id,
    codeKey: codeKey(product_code ?? ""),
    status,
    shown: {
      id,
      product_code,
      price,
      currency,
      stock,
      has_discount,
      discount_type,
      discount_value,
    },
    sent,
  };
}

/**
 * While the unit of the listing's prices is unknown, the price that was sent is the best known one.
 */
export function keepPrices({ price, currency, ...rest }: SentFields): SentFields {
  const { has_discount, discount_type, discount_value } = rest;
  const kept = { price, currency, has_discount, discount_type, discount_value };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}
