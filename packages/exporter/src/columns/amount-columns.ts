/**
 * Amounts in whole currency. The listing does not state the unit of its prices, nor does the
 * specification that of orders and payments, about which prices prove nothing: those are converted
 * only where a person states the unit.
 */

import { DISCOUNT_TYPES } from "@catalog/contract";
import type { PriceUnit } from "@catalog/runs";
import type { OutCell } from "@catalog/sheets";

import { AMOUNT_UNITS, type OutColumn, toAmount, toWord } from "./out-column.ts";

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

interface PricedProduct {
  readonly price?: unknown;
  readonly has_discount?: boolean | null | undefined;
  readonly discount_type?: number | null | undefined;
  readonly discount_value?: unknown;
}

interface SheetDiscount {
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

/** Marks a column of amounts; {@link withUnit} gives it its unit. */
export const toAmountColumn = <Item>(column: OutColumn<Item>): OutColumn<Item> => ({
  ...column,
  isAmount: true,
});

/** Says in every row whether its amounts are in whole currency, so that no header has to. */
export const amountUnitColumn = <Item>(unit: PriceUnit): OutColumn<Item> => ({
  key: "amount_unit",
  header: { tr: "Tutar Birimi", en: "Amount Unit" },
  help: {
    tr: "“bilinmiyor” ise tutarlar pazaryerinden geldiği gibidir: kuruş da olabilir, lira da.",
    en: "Where it is “unknown”, amounts are as the marketplace gives them: in minor or in major units.",
  },
  cell: (_, style) => toWord(AMOUNT_UNITS, unit === "unknown" ? "unknown" : "major", style),
});

/** The columns with their amounts in whole currency, or as they were answered. */
export const withUnit = <Item>(
  columns: readonly OutColumn<Item>[],
  unit: PriceUnit,
): readonly OutColumn<Item>[] => [
  ...columns.map((column) => (column.isAmount === true ? toColumnIn(column, unit) : column)),
  amountUnitColumn<Item>(unit),
];

const toColumnIn = <Item>(column: OutColumn<Item>, unit: PriceUnit): OutColumn<Item> => ({
  ...column,
  kind: unit === "unknown" ? "number" : "price",
  cell: (item, style) => toAmountCell(column.cell(item, style), unit),
});

/** An amount in whole currency, or as it was answered. */
export const toAmountCell = (value: unknown, unit: PriceUnit): OutCell =>
  unit === "unknown" ? toAmount(value) : (toSheetAmount(value, unit) ?? toAmount(value));
