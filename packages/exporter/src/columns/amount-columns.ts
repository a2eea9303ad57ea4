/**
 * Amounts of orders and payments. The specification does not state their unit, and prices of the
 * listing prove nothing about them: they are converted only where a person states the unit.
 */

import type { PriceUnit } from "@catalog/runs";
import type { OutCell } from "@catalog/sheets";

import { type OutColumn, toAmount, toWord } from "./out-column.ts";
import { toSheetAmount } from "./product-price.ts";
import { AMOUNT_UNITS } from "./words.ts";

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
