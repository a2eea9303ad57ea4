/** A product as feeds know it, in the terms in which rows are planned: prices in minor units. */

import { type FeedProduct } from "@catalog/database";
import { type PriceUnit, type SeenProduct, toMinor } from "@catalog/runs";

/** What is known of the product; a price whose unit nobody knows is left out. */
export function toSeen({ shown, sent, ...product }: FeedProduct, unit: PriceUnit): SeenProduct {
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
