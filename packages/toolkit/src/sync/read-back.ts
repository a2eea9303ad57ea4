/**
 * Whether the store took what was sent. That an update may set the stock is assumed, not
 * documented, so an answer that says yes is checked: a part of what was sent is read again.
 */

import { type ProductId } from "@catalog/contract";
import {
  idsOf,
  type ListedProduct,
  type PriceUnit,
  readProducts,
  type RowRecord,
} from "@catalog/runs";

import { type Toolkit } from "../open-toolkit.ts";
import { toSeen } from "./known-product.ts";
import { toShown } from "./sweep-store.ts";

export interface ReadBackOptions {
  /** Rows that were answered with yes. */
  readonly records: readonly RowRecord[];
  readonly priceUnit: PriceUnit;
  readonly sweep: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadBack {
  /** Products that the store showed. */
  readonly read: number;
  /** Product codes whose values are not those that were sent. */
  readonly different: readonly string[];
}

/** An update may take effect a moment after it was answered. */
const SECOND_LOOK_MS = 3_000;

/** Reads the products back, those that differ a second time; what they really show is remembered. */
export async function readBack(
  { feeds, marketplace, clock }: Pick<Toolkit, "feeds" | "marketplace" | "clock">,
  { records, priceUnit, sweep, signal }: ReadBackOptions,
): Promise<ReadBack> {
  const look = (rows: readonly RowRecord[]): Promise<ReadonlyMap<ProductId, ListedProduct>> =>
    readProducts(idsOf(rows), { marketplace, signal });
  const first = await look(records);
  const doubted = records.filter((record) => differs(record, first, priceUnit));
  if (doubted.length === 0) return { read: first.size, different: [] };
  await clock.sleep(SECOND_LOOK_MS, signal);
  const second = await look(doubted);
  const different = doubted.filter((record) => differs(record, second, priceUnit));
  const shown = different.flatMap(({ productId }) => {
    const found = productId === null ? undefined : second.get(productId);
    return found === undefined ? [] : [toShown(found.product, found.status, {})];
  });
  feeds.absorb();
  feeds.saveShown(sweep, shown);
  return {
    read: first.size,
    different: different.map(({ code, productId }) => code ?? productId ?? ""),
  };
}

function differs(
  { productId, payload }: RowRecord,
  shown: ReadonlyMap<ProductId, ListedProduct>,
  priceUnit: PriceUnit,
): boolean {
  const found = productId === null ? undefined : shown.get(productId);
  // What the store does not show at all says nothing.
  if (found === undefined || payload === null) return false;
  const { product } = toSeen(toShown(found.product, found.status, {}), priceUnit);
  return isOther(payload.stock_count, product.stock) || isOther(payload.price, product.price);
}

const isOther = (sent: unknown, is: unknown): boolean =>
  sent !== undefined && is !== undefined && is !== null && sent !== is;
