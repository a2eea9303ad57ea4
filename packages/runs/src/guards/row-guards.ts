/** Checks whether one update changes a price beyond the limits. */

import { roundPercentChange } from "@catalog/i18n";

import type { GuardName, GuardSettings } from "./guard-settings.ts";
import { comparePaidPrices, type PaidPrices, type PriceTag, toPaidPrice } from "./paid-price.ts";

/** A change that a guard holds. */
export interface GuardFinding {
  readonly guard: GuardName;
  /** The field whose values these are; `paid_price` is the price after the discount. */
  readonly field: "price" | "paid_price";
  /** In minor units; absent where the guard compares new values with each other. */
  readonly old?: number | undefined;
  /** In minor units. */
  readonly new: number;
  /** The new price in minor units, where `new` is a discounted one that is compared with it. */
  readonly price?: number | undefined;
  /** What the buyer pays, where a discount makes it differ from the price. */
  readonly paid?: PaidPrices | undefined;
  /** Further guards that hold the same change. @default none */
  readonly also?: readonly GuardName[];
  /** Change in percent of the old value, in whole percents unless that would be 0 or −100. */
  readonly percent?: number | undefined;
}

/** The product's price before the update, and the price fields that the update sends. */
export interface PriceChange {
  /** The known old price; a price in an unknown unit is left out. */
  readonly old: PriceTag;
  /** The fields that the update sends. */
  readonly sent: PriceTag;
}

/** Returns the findings on one update, the worst first; at most one for each field. */
export function guardPrice(
  { old, sent }: PriceChange,
  { limits, allowed }: GuardSettings,
): readonly GuardFinding[] {
  const next = { ...old, ...withoutGaps(sent) };
  const paid = { old: toPaidPrice(old), new: toPaidPrice(next) };
  const judge = (field: GuardFinding["field"], was?: number, is?: number): GuardFinding[] => {
    if (was === undefined || is === undefined || was <= 0 || was === is) return [];
    const percent = roundPercentChange(((is - was) / was) * 100, 0);
    const [guard, ...also] = guardsTripped(was, is, limits).filter((each) => !allowed.has(each));
    if (guard === undefined) return [];
    return [{ guard, field, old: was, new: is, percent, ...(also.length > 0 && { also }) }];
  };

  const senseless =
    allowed.has("discount-price") || !setsPrice(sent) ? [] : guardDiscount(next, paid.new);
  const byPrice = sent.price === undefined ? [] : judge("price", old.price, next.price);
  // A change of the price changes the paid price as well; it is one change, reported once.
  const byPaid = byPrice.length > 0 || senseless.length > 0 ? [] : judgePaid();
  const buyer = toBuyerPrices(old, next);
  const found = [...senseless, ...byPrice];
  if (buyer === undefined) return [...found, ...byPaid];
  return [...found.map((finding) => withPaid(finding, buyer)), ...byPaid];

  function judgePaid(): GuardFinding[] {
    return judge("paid_price", paid.old, paid.new).filter(({ guard }) => guard !== "price-rise");
  }
}

function withPaid(finding: GuardFinding, paid: PaidPrices): GuardFinding {
  return { ...finding, paid };
}

/** `undefined` where a discount of nothing leaves the buyer the price itself, before and after. */
function toBuyerPrices(old: PriceTag, next: PriceTag): PaidPrices | undefined {
  const isPrice = toPaidPrice(old) === old.price && toPaidPrice(next) === next.price;
  return isPrice ? undefined : comparePaidPrices(old, next);
}

/** A stock does not make the standing discount of its product worse. */
const setsPrice = (sent: PriceTag): boolean =>
  [sent.price, sent.has_discount, sent.discount_type, sent.discount_value].some(
    (value) => value !== undefined,
  );

/** The guards that need an old price. */
const COMPARING: readonly GuardName[] = ["price-scale", "price-drop", "price-rise"];

/**
 * Returns the guard that cannot be run because the old price, or the price after the old discount,
 * is not known; `undefined` where the update needs no guard.
 */
export function findUnguarded(
  { old, sent }: PriceChange,
  { allowed }: GuardSettings,
): GuardName | undefined {
  const lowers = sent.has_discount === true || sent.discount_value !== undefined;
  const isPriceKnown = sent.price === undefined || old.price !== undefined;
  const isPaidKnown = !lowers || toPaidPrice(old) !== undefined;
  if (isPriceKnown && isPaidKnown) return undefined;
  return COMPARING.find((guard) => !allowed.has(guard));
}

function guardDiscount(next: PriceTag, paid: number | undefined): GuardFinding[] {
  const { price, has_discount = false } = next;
  if (!has_discount || price === undefined || paid === undefined) return [];
  const isSenseless = paid >= price || paid <= 0;
  return isSenseless ? [{ guard: "discount-price", field: "paid_price", new: paid, price }] : [];
}

type PriceLimits = GuardSettings["limits"];

/** A misplaced decimal sign is reported as such, though it is a fall or a rise as well. */
function guardsTripped(was: number, is: number, limits: PriceLimits): readonly GuardName[] {
  const tripped: GuardName[] = [];
  if (isNear(is / was, limits.scalePercent) || isNear(was / is, limits.scalePercent)) {
    tripped.push("price-scale");
  }
  if (was - is > (was * limits.priceDropPercent) / 100) tripped.push("price-drop");
  if (is - was > (was * limits.priceRisePercent) / 100) tripped.push("price-rise");
  return tripped;
}

const SLIP = 100;

const isNear = (ratio: number, percent: number): boolean =>
  Math.abs(ratio - SLIP) <= (SLIP * percent) / 100;

/** A field that an update does not send keeps its old value. */
function withoutGaps(tag: PriceTag): PriceTag {
  return Object.fromEntries(Object.entries(tag).filter(([, value]) => value !== undefined));
}
