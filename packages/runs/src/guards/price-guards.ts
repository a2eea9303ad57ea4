/** Checks whether one update changes a price, a currency or a stock beyond the limits. */

import { type Localized, roundPercentChange } from "@catalog/i18n";
import { judgeSale } from "@catalog/pricing";

import {
  type CompareInput,
  readPriceTag,
  readPriceTags,
  type PriceTag,
  comparePaidPrices,
  toPaidPrice,
} from "../plan/compare.ts";
import type { ListedProductRow } from "../ports/journal.ts";
import type { ProductChanges } from "../ports/product.ts";
import type { IssueLocation, RowIssue, GuardFinding, PaidPrices } from "../row/issues.ts";
import type { CandidateRow, RowCost, RowDecision } from "../row/row-record.ts";
import {
  heldBesides,
  type HeldBesides,
  toBelowCostIssue,
  toCurrencyIssue,
  toGuardIssue,
  toStockRiseIssue,
  toUnknownUnitIssue,
} from "./guard-issue.ts";
import type { GuardName, GuardSettings } from "./guard-settings.ts";

/** The product's price before the update, and the price fields that the update sends. */
interface PriceChange {
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

/** An update, and what is known of the product before it. */
export interface GuardedUpdate extends Pick<CompareInput, "seen" | "lastSent" | "priceUnit"> {
  readonly sent: PriceTag & HeldBesides & Pick<ProductChanges, "currency">;
}

interface GuardUpdateOptions {
  readonly guards: GuardSettings;
  /** The cell of a field of the row. */
  readonly locationOf: (field: "price" | "discount_value" | "stock") => IssueLocation;
}

/**
 * Returns the findings of the price guards. While the unit of listed prices is unknown, an update
 * passes only where the guards let it pass under both units: a discount by a rate, or a product
 * without a price. At the default limits a new price never passes then, because the two readings of
 * the old price differ by a factor of 100; a price that equals the listing under one unit is 100
 * times off under the other.
 */
export function guardUpdate(
  update: GuardedUpdate,
  options: GuardUpdateOptions,
): readonly RowIssue[] {
  return [
    ...guardCurrency(update, options),
    ...guardStock(update, options),
    ...guardPrices(update, options),
  ];
}

/** Amounts in two currencies cannot be compared, so every change of the currency is held. */
function guardCurrency(
  { sent, seen, lastSent }: GuardedUpdate,
  { guards, locationOf }: GuardUpdateOptions,
): readonly RowIssue[] {
  const old = seen?.currency ?? lastSent?.currency;
  const { currency } = sent;
  if (currency === undefined || old === undefined || old === currency) return [];
  if (guards.allowed.has("currency-change")) return [];
  return [toCurrencyIssue({ old, new: currency }, locationOf("price"))];
}

/** Prices in minor units, codes and telephone numbers begin here. */
const HUGE_STOCK = 100_000;
const HUGE_RISE = 100;

/** A stock of this size is believed where the store has had one like it. */
function guardStock(
  { sent: { stock_count: next }, seen }: GuardedUpdate,
  { guards, locationOf }: GuardUpdateOptions,
): readonly RowIssue[] {
  const old = seen?.stock;
  if (next === undefined || typeof old !== "number" || next < HUGE_STOCK) return [];
  if (next <= Math.max(old, 1) * HUGE_RISE || guards.allowed.has("stock-rise")) return [];
  return [toStockRiseIssue({ old, new: next }, locationOf("stock"))];
}

function guardPrices(
  { sent, ...known }: GuardedUpdate,
  { guards, locationOf }: GuardUpdateOptions,
): readonly RowIssue[] {
  const besides = heldBesides(sent, known.seen);
  const toIssue = (finding: GuardFinding): RowIssue => {
    const isPrice = finding.field === "price" || sent.price !== undefined;
    return toGuardIssue(finding, locationOf(isPrice ? "price" : "discount_value"), besides);
  };
  const [old = {}, ...others] = readPriceTags(known);
  if (others.length === 0) return guardPrice({ old, sent }, guards).map(toIssue);
  // Findings that compare the new values with each other need no old value.
  const sure = guardPrice({ old: {}, sent }, guards).map(toIssue);
  const questioned = [old, ...others].some(
    (each) => guardPrice({ old: each, sent }, guards).length > 0,
  );
  if (!questioned) return sure;
  const location = locationOf(sent.price === undefined ? "discount_value" : "price");
  return [...sure, toUnknownUnitIssue(location, besides)];
}

/** What is sent of a price, and what its product costs. */
interface GuardedSale extends Omit<GuardedUpdate, "sent"> {
  readonly sent: PriceTag & Pick<ProductChanges, "currency">;
  readonly cost: RowCost | undefined;
}

/**
 * Holds a price or a discount at which a sale leaves less than the product costs. What the buyer
 * pays counts; a value that is not sent is taken as the store shows it. Where nobody can say whether
 * the cost is covered, the row is held as well.
 */
export function guardCost(
  sale: GuardedSale,
  { guards, locationOf }: GuardUpdateOptions,
): readonly RowIssue[] {
  const { sent } = sale;
  if (guards.allowed.has("below-cost")) return [];
  if (!setsPrice(sent) && sent.currency === undefined) return [];
  const why = describeLoss(sale);
  if (why === undefined) return [];
  return [toBelowCostIssue(why, locationOf(sent.price === undefined ? "discount_value" : "price"))];
}

const UNCLEAR_COST: Localized = {
  tr: "satırdaki maliyet okunamadı ya da birden çok maliyet sütunu var",
  en: "the cost of the row cannot be read, or several columns hold costs",
};
const UNKNOWN_PAID: Localized = {
  tr: "alıcının ne ödeyeceği bilinmiyor, maliyetle karşılaştırılamadı",
  en: "what the buyer will pay is not known, so it cannot be compared with the cost",
};

/** Why the sale may not cover the cost; `undefined` where it does, or the cost is not known. */
function describeLoss({ sent, cost, ...known }: GuardedSale): Localized | undefined {
  if (cost === undefined) return undefined;
  if (cost.cost === undefined) return UNCLEAR_COST;
  const currency = sent.currency ?? known.seen?.currency ?? known.lastSent?.currency ?? "TL";
  if (currency !== cost.currency) {
    return {
      tr: `maliyet ${cost.currency}, fiyat ${currency} olduğu için karşılaştırılamadı`,
      en: `the cost is in ${cost.currency} and the price in ${currency}, so they cannot be compared`,
    };
  }
  const paid = toPaidPrice({ ...readPriceTag(known), ...withoutGaps(sent) });
  if (paid === undefined) return UNKNOWN_PAID;
  const why = judgeSale(paid, { ...cost, cost: cost.cost });
  if (why === undefined || cost.isHighest !== true) return why;
  return {
    tr: `${why.tr} (kategorisi bilinmediği için en yüksek komisyonla)`,
    en: `${why.en} (with the highest commission, as the category is not known)`,
  };
}

interface HoldUnguardedUpdateOptions {
  /** The row's product with prices in minor units; prices of an unknown unit are left out. */
  readonly seen: readonly ListedProductRow[];
  readonly guards: GuardSettings;
}

/**
 * Returns the decision, held where it would send a price or a discount that cannot be compared with
 * the old one; its stock is sent apart. A row that a guard already holds, or
 * whose guards are all allowed, is returned unchanged.
 */
export function holdUnguardedUpdate(
  decision: RowDecision,
  row: Pick<CandidateRow, "locationOf">,
  { seen, guards }: HoldUnguardedUpdateOptions,
): RowDecision {
  const { state, action, payload: sent, productId } = decision;
  if (state !== "ready" || action !== "update" || sent === null) return decision;
  const product = seen.find((each) => each.product.id === productId)?.product;
  const old = readPriceTag({ seen: product, lastSent: undefined, priceUnit: "minor" });
  if (findUnguarded({ old, sent }, guards) === undefined) return decision;
  const location = row.locationOf(sent.price === undefined ? "discount_value" : "price");
  const issue = toUnknownUnitIssue(location, heldBesides(sent, product));
  return { ...decision, state: "held", issues: [...decision.issues, issue] };
}
