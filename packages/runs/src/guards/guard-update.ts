/** Decides whether the guards of prices and currencies hold an update. */

import type { ProductChanges } from "@catalog/contract";

import { type CompareInput, readPriceTags } from "../plan/compare.ts";
import type { IssueLocation } from "../row/issue-texts.ts";
import type { RowIssue } from "../row/issue.ts";
import {
  heldBesides,
  type HeldBesides,
  toCurrencyIssue,
  toGuardIssue,
  toStockRiseIssue,
  toUnknownUnitIssue,
} from "./guard-issue.ts";
import type { GuardSettings } from "./guard-settings.ts";
import type { PriceTag } from "./paid-price.ts";
import { type GuardFinding, guardPrice } from "./row-guards.ts";

/** An update, and what is known of the product before it. */
export interface GuardedUpdate extends Pick<CompareInput, "seen" | "lastSent" | "priceUnit"> {
  readonly sent: PriceTag & HeldBesides & Pick<ProductChanges, "currency">;
}

export interface GuardUpdateOptions {
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
