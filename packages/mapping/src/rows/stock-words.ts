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
  /** Index of the column that names who counts the stock; a person may leave it out. */
  readonly tracker: number | undefined;
}

/** `undefined` where the platform writes numbers only. */
export function findStockWords({
  columns,
  platform,
}: Pick<ColumnMapping, "columns" | "platform">): StockWords | undefined {
  const words = platform && findPlatform(platform.name)?.stock;
  if (words === undefined) return undefined;
  const { state: states = [], none = [], tracker: trackers = [], shared } = words;
  const [state] = findHeaders(columns, states);
  const used = columns.filter(({ target }) => target.kind !== "unused");
  const [tracker] = findHeaders(used, trackers);
  return { state, none: new Set(none), shared, tracker };
}
