import type { ColumnMapping } from "../columns/map-columns.ts";
import { findPlatform } from "../platforms/recognise-platform.ts";
import { findHeaders } from "../variants/variant-columns.ts";

/** How the platform of a sheet writes stocks that are no number. */
export interface StockWords {
  /** Index of the column that says only whether there is any stock. */
  readonly state: number | undefined;
  /** Its words for none, in lower case. */
  readonly none: ReadonlySet<string>;
  /** The text of a stock that a variant shares with its parent row. */
  readonly shared: string | undefined;
}

/** `undefined` where the platform writes numbers only. */
export function findStockWords({
  columns,
  platform,
}: Pick<ColumnMapping, "columns" | "platform">): StockWords | undefined {
  const words = platform && findPlatform(platform.name)?.stock;
  if (words === undefined) return undefined;
  const [state] = findHeaders(columns, words.state);
  return { state, none: new Set(words.none), shared: words.shared };
}
