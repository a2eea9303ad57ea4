/** Converts products of the feeds' state to the terms of planning, with prices in minor units. */

import { codeKey as toCodeKey } from "@catalog/mapping";
import {
  type CandidateRow,
  type CodeNormalization,
  type Journal,
  type PriceUnit,
  type RowBackground,
  type ListedProductRow,
  toMinor,
  toProductKeys,
} from "@catalog/runs";

import type { FeedProduct, FeedState } from "./feed-store.ts";

export interface KnownProductsOptions {
  readonly feedState: Pick<FeedState, "readByCode" | "readById">;
  /** How the store writes codes. @default as they are sent */
  readonly normalization?: CodeNormalization | undefined;
}

/** Reads the stored products of the rows. Makes no call. */
export async function readKnownProducts(
  { feedState, normalization = [] }: KnownProductsOptions,
  candidates: readonly CandidateRow[],
): Promise<(row: CandidateRow) => readonly FeedProduct[]> {
  const keys = toProductKeys(candidates, { normalization, codeKey: toCodeKey });
  const byCode = Map.groupBy(
    await feedState.readByCode(keys.codeKeys),
    (product) => product.codeKey,
  );
  const byId = Map.groupBy(await feedState.readById(keys.ids), ({ productId }) => productId);
  return (row) => keys.productsOf(row, { byCode, byId });
}

export interface FeedBackgroundOptions extends KnownProductsOptions {
  readonly priceUnit: PriceUnit;
  readonly journal: Pick<Journal, "readLastSent">;
}

/**
 * Background for the decisions of a feed's rows. A feed adds nothing, so taken codes do not matter,
 * and the values sent last are part of the stored product, but for whose discount it has.
 */
export async function readFeedBackground(
  { priceUnit, journal, ...known }: FeedBackgroundOptions,
  candidates: readonly CandidateRow[],
): Promise<RowBackground> {
  const productsOf = await readKnownProducts(known, candidates);
  const ending = candidates.filter(({ endsOwnSale }) => endsOwnSale === true);
  const reduced = ending
    .flatMap(productsOf)
    .filter(({ shown, sent }) => sent.has_discount ?? shown.has_discount);
  const lastSent = await journal.readLastSent(reduced.map(({ productId }) => productId));
  return {
    seenOf: (row) => productsOf(row).map((product) => toSeen(product, priceUnit)),
    knownOf: () => undefined,
    lookAlikeOf: () => [],
    lastSentOf: (productId) => {
      const { has_discount, discount_type, discount_value } =
        (productId === undefined ? undefined : lastSent.get(productId)) ?? {};
      return has_discount === undefined
        ? undefined
        : { has_discount, discount_type, discount_value };
    },
  };
}

/** The known values of the product, without a price whose unit is not known. */
export function toSeen(
  { shown, sent, ...product }: FeedProduct,
  unit: PriceUnit,
): ListedProductRow {
  const { codeKey, status, productId } = product;
  const isSent = sent.has_discount !== undefined;
  return {
    codeKey,
    status,
    product: {
      id: productId,
      product_code: shown.product_code ?? codeKey,
      price: sent.price ?? toMinor(shown.price, unit),
      currency: sent.currency ?? shown.currency,
      stock: sent.stock_count ?? shown.stock,
      has_discount: sent.has_discount ?? shown.has_discount,
      discount_type: isSent ? sent.discount_type : shown.discount_type,
      discount_value: isSent ? sent.discount_value : toDiscount(shown, unit),
    },
  };
}

const RATE = 2;

function toDiscount(
  { discount_type: type, discount_value: value }: FeedProduct["shown"],
  unit: PriceUnit,
): number | undefined {
  if (value === false || value === null || value === undefined) return undefined;
  return type === RATE ? value : toMinor(value, unit);
}
