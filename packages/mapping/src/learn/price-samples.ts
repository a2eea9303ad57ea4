/** The first prices of a sheet as they will be sent, for a person to compare with the sheet. */

import type { Currency } from "@catalog/contract";

import { findCurrencyInHeader } from "../columns/fields/currency-keywords.ts";
import type { ColumnMapping } from "../columns/map-columns.ts";
import type { MappedRow } from "../rows/row-mapper.ts";
import { cellText, type SourceRow } from "../rows/source-row.ts";
import { type Money, parseMoney } from "../values/money.ts";
import type { NumberNotations } from "../values/notation.ts";
import { UNKNOWN_NOTATION } from "../values/number-text.ts";

/** One price, as it stands in its cell and in minor units. */
export interface PriceSample {
  readonly text: string;
  /** Whether it stands in a number cell, which each person sees in their own notation. */
  readonly isNumberCell: boolean;
  readonly minor: number;
  readonly currency: Currency;
  /** Whether neither the cell, the row nor the header names the currency. @default false */
  readonly isAssumed?: boolean | undefined;
}

/** Collects samples while rows are mapped. */
export interface PriceSamples {
  /** Adds the price of a row, while there are fewer samples than fit. */
  note(row: SourceRow, mapped: Pick<MappedRow, "changes">): void;
  readonly samples: readonly PriceSample[];
}

const MAX_SAMPLES = 3;

/** Collects distinct prices of the price column, in the order of the sheet. */
export function createPriceSamples(
  mapping: ColumnMapping,
  notations: NumberNotations,
): PriceSamples {
  const samples: PriceSample[] = [];
  const column = mapping.columns.find(
    ({ target }) => target.kind === "field" && target.field === "price",
  );
  // A header in another currency is asked about, so that it has one of the row's own then.
  const headerCurrency = findCurrencyInHeader(column?.header ?? "") === "TL" ? "TL" : undefined;
  return {
    samples,
    note({ cells }, { changes }) {
      if (column === undefined || samples.length === MAX_SAMPLES) return;
      const text = cellText(cells[column.index]);
      if (samples.some((sample) => sample.text === text)) return;
      const notation = notations.columns.get(column.index) ?? UNKNOWN_NOTATION;
      const isNumberCell = typeof cells[column.index] === "number";
      const reading = parseMoney(cells[column.index] ?? null, notation);
      // A price that its row refuses for another reason is not sent, so it is not a sample.
      if (reading.ok && changes.price !== undefined) {
        samples.push({
          text,
          isNumberCell,
          ...withCurrency(reading.value, changes.currency ?? headerCurrency),
        });
      }
    },
  };
}

const withCurrency = (
  { minor, currency }: Money,
  rowCurrency: Currency | undefined,
): Pick<PriceSample, "minor" | "currency" | "isAssumed"> => ({
  minor,
  currency: currency ?? rowCurrency ?? "TL",
  ...(currency === undefined && rowCurrency === undefined && { isAssumed: true }),
});
