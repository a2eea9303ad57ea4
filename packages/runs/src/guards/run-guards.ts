/** Guards over a whole run, for mistakes that no single row shows. */

import type { GuardSettings } from "./guard-settings.ts";

/** Counts of the stock changes of a run. */
export interface StockCounts {
  /** Rows that set the stock of a product that the store has. */
  readonly rows: number;
  /** Rows among them that set a product in stock to 0. */
  readonly emptied: number;
}

/** Says whether so many products lose all their stock that the rows must be held. */
export function emptiesTooMany(
  { rows, emptied }: StockCounts,
  { limits, allowed }: GuardSettings,
): boolean {
  if (allowed.has("zero-stock") || rows < limits.zeroStockRows) return false;
  return emptied > (rows * limits.zeroStockPercent) / 100;
}
