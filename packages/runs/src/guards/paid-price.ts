/** What a buyer pays: the price less its discount, in whole minor units. */

/** A price and its discount in the terms of the add call, in minor units. */
export interface PriceTag {
  readonly price?: number | undefined;
  readonly has_discount?: boolean | undefined;
  /** 1 amount, 2 rate, 3 discounted price (section Products, add). */
  readonly discount_type?: number | undefined;
  readonly discount_value?: number | undefined;
}

/**
 * Returns the price after the discount, rounded to the nearest minor unit; `undefined` when the
 * fields are incomplete. The result is zero, negative or not below the price where the discount
 * makes no sense.
 */
export function toPaidPrice(tag: PriceTag): number | undefined {
  const { price, has_discount = false, discount_type, discount_value } = tag;
  if (price === undefined || !has_discount) return price;
  if (discount_value === undefined) return undefined;
  if (discount_type === 1) return price - discount_value;
  if (discount_type === 2) return Math.round((price * (100 - discount_value)) / 100);
  return discount_type === 3 ? discount_value : undefined;
}

/** What the buyer pays before and after a change, in minor units. */
export interface PaidPrices {
  readonly old: number;
  /** Absent where the discount leaves no lower price above zero, so that the marketplace decides. */
  readonly new?: number;
}

/**
 * Compares what buyers pay by two price tags; `undefined` where neither has a discount, or where
 * what was paid is not known.
 */
export function comparePaidPrices(old: PriceTag, next: PriceTag): PaidPrices | undefined {
  const was = toPaidPrice(old);
  if (was === undefined || (old.has_discount !== true && next.has_discount !== true)) {
    return undefined;
  }
  const paid = toPaidPrice(next);
  const isLower = next.price !== undefined && paid !== undefined && paid < next.price;
  const isSure = paid !== undefined && paid > 0 && (next.has_discount !== true || isLower);
  return isSure ? { old: was, new: paid } : { old: was };
}
