/**
 * Amounts of orders and payments. The specification does not state their unit, and prices of the
 * listing prove nothing about them: they are converted only where a person states the unit.
 */

import type { Localized } from "@catalog/i18n";
import type { PriceUnit } from "@catalog/runs";
import type { OutCell } from "@catalog/sheets";

import { type OutColumn, toAmount } from "./out-column.ts";
import { toSheetAmount } from "./product-price.ts";

/** Marks a column of amounts; {@link withUnit} gives it its unit. */
export const toAmountColumn = <Item>(column: OutColumn<Item>): OutColumn<Item> => ({
  ...column,
  isAmount: true,
});

/** The columns with their amounts in whole currency, or as they were answered, which headers say. */
export const withUnit = <Item>(
  columns: readonly OutColumn<Item>[],
  unit: PriceUnit,
): readonly OutColumn<Item>[] =>
  columns.map((column) =>
    column.isAmount === true
      ? {
          ...column,
          ...describeAmount(column.header, unit),
          cell: (item, style) => toAmountCell(column.cell(item, style), unit),
        }
      : column,
  );

type AmountHeader = Pick<OutColumn<never>, "header" | "kind">;

function describeAmount({ tr, en }: Localized, unit: PriceUnit): AmountHeader {
  if (unit !== "unknown") return { header: { tr, en }, kind: "price" };
  return {
    header: { tr: `${tr} (pazaryerinin yazdığı gibi)`, en: `${en} (as the marketplace writes it)` },
    kind: "number",
  };
}

/** An amount in whole currency, or as it was answered. */
export const toAmountCell = (value: unknown, unit: PriceUnit): OutCell =>
  unit === "unknown" ? toAmount(value) : (toSheetAmount(value, unit) ?? toAmount(value));
