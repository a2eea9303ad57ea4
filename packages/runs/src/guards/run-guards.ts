/** Looks at a whole run: mistakes that no single row shows. */

import { type GuardSettings } from "./guard-settings.ts";

/** What a run would do to the stock of the store. */
export interface StockCounts {
  /** Rows that give a stock to a product of the store. */
  readonly rows: number;
  /** Those of them that set a product which has some to 0. */
  readonly emptied: number;
}

/** Whether so many products lose all their stock that the rows are held. */
export function emptiesTooMany(
  { rows, emptied }: StockCounts,
  { limits, allowed }: GuardSettings,
): boolean {
  if (allowed.has("zero-stock") || rows < limits.zeroStockRows) return false;
  return emptied > (rows * limits.zeroStockPercent) / 100;
}

/** Whether a file has so few of the rows it had the last time that it may be half a file. */
export function hasTooFewRows(
  { rows, lastRows }: { readonly rows: number; readonly lastRows: number | undefined },
  { limits, allowed }: GuardSettings,
): boolean {
  if (allowed.has("few-rows") || lastRows === undefined) return false;
  return rows < (lastRows * limits.fewRowsPercent) / 100;
}
