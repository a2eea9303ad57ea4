/** A product as feeds know it, in the terms in which rows are planned: prices in minor units. */

import { type FeedProduct } from "@catalog/database";
import { type PriceUnit, type SeenProduct } from "@catalog/runs";

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

function toMinor(price: number | null | undefined, unit: PriceUnit): number | undefined {
  if (price === null || price === undefined || unit === "unknown") return undefined;
  return unit === "minor" ? price : Math.round(price * 100);
}

/** Which unit makes two prices equal, over many pairs. */
export interface UnitCount {
  note(minor: number | undefined, shown: number | null | undefined): void;
  /** The unit that explains at least so many pairs where the other explains none. */
  decide(atLeast: number): PriceUnit;
  /** How many pairs the unit explains. */
  pairs(unit: Exclude<PriceUnit, "unknown">): number;
}

export function createUnitCount(): UnitCount {
  let minor = 0;
  let major = 0;
  return {
    note(price, shown) {
      // Nothing is nothing in any unit.
      if (price === undefined || shown === null || shown === undefined || shown === 0) return;
      if (price === shown) minor += 1;
      else if (price === Math.round(shown * 100)) major += 1;
    },
    decide(atLeast) {
      if (minor >= atLeast && major === 0) return "minor";
      return major >= atLeast && minor === 0 ? "major" : "unknown";
    },
    pairs: (unit) => (unit === "minor" ? minor : major),
  };
}
