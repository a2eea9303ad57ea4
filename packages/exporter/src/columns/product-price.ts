/** The price of a product in whole currency, from a listing that does not state its unit. */

import { DISCOUNT_TYPES } from "@catalog/contract";
import type { PriceUnit } from "@catalog/runs";

/** Rounding error of binary fractions. */
const MAX_BINARY_NOISE = 1e-9;

/**
 * An amount in whole currency for a sheet; `undefined` where the answer has none. One that is no
 * whole number of minor units is not rounded.
 */
export function toSheetAmount(value: unknown, unit: PriceUnit): number | undefined {
  const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof amount !== "number" || !Number.isFinite(amount) || unit === "unknown")
    return undefined;
  const major = unit === "minor" ? amount / 100 : amount;
  const rounded = Math.round(major * 100) / 100;
  return Math.abs(major - rounded) < MAX_BINARY_NOISE ? rounded : major;
}

/** A price that an import accepts. */
export function toSheetPrice(value: unknown, unit: PriceUnit): number | null {
  const amount = toSheetAmount(value, unit);
  return amount !== undefined && amount > 0 ? amount : null;
}

export interface PricedProduct {
  readonly price?: unknown;
  readonly has_discount?: boolean | null | undefined;
  readonly discount_type?: number | null | undefined;
  readonly discount_value?: unknown;
}

export interface SheetDiscount {
  readonly type: (typeof DISCOUNT_TYPES)[number];
  readonly value: number;
}

/** The discount that an import accepts; it needs both cells or none. */
export function toSheetDiscount(
  product: PricedProduct,
  unit: PriceUnit,
): SheetDiscount | undefined {
  const type = DISCOUNT_TYPES.find((each) => each === product.discount_type);
  if (product.has_discount !== true || type === undefined) return undefined;
  if (type === 2) return toRate(product.discount_value);
  const value = toSheetAmount(product.discount_value, unit);
  const price = toSheetAmount(product.price, unit) ?? 0;
  return value !== undefined && value > 0 && value < price ? { type, value } : undefined;
}

function toRate(value: unknown): SheetDiscount | undefined {
  const rate = Number(value);
  return Number.isInteger(rate) && rate >= 1 && rate <= 99 ? { type: 2, value: rate } : undefined;
}
