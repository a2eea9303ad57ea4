/** Finds the columns in which a platform says more of a row than its fields do. */

import type { ColumnMapping } from "../columns/map-columns.ts";
import type { PlatformSalePeriod } from "../platforms/platform.ts";
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

/** Indexes of columns by which a platform says more of a row's price and code. */
export interface RowColumns {
  /** The dates of reduced prices. */
  readonly salePeriod: Readonly<Record<keyof PlatformSalePeriod, number | undefined>>;
  /** Says no where the prices do not include tax. */
  readonly taxIncluded: number | undefined;
  readonly taxRate: number | undefined;
  /** What is added to the price. */
  readonly surcharge: number | undefined;
  /** Filled in for a listing that has all its variations in one row. */
  readonly variations: number | undefined;
  /** What stands between the codes of such a listing. */
  readonly codeSeparator: string | undefined;
}

/** Headers under which other programs say whether their prices include tax. */
const SAYS_TAX: readonly string[] = [
  "KDV Dahil",
  "KDV Dahil mi",
  "KDV Dahil mi?",
  "KDV Dahil/Hariç",
  "KDV Durumu",
  "Fiyata KDV Dahil",
  "Fiyata KDV Dahil mi",
  "Fiyata KDV Dahil mi?",
  "VAT Included",
  "Is VAT Included",
  "Tax Included",
  "Is Tax Included",
  "Price Includes VAT",
  "Price Includes Tax",
];

/** A person may leave the columns out, but for those of taxes. */
export function findRowColumns({
  columns,
  platform,
}: Pick<ColumnMapping, "columns" | "platform">): RowColumns {
  const { tax, listings, salePeriod, surcharge } = (platform && findPlatform(platform.name)) ?? {};
  const used = columns.filter(({ target }) => target.kind !== "unused");
  const unmapped = columns.filter(({ target }) => target.kind !== "field");
  const find = (headers: readonly string[] = []): number | undefined =>
    findHeaders(used, headers)[0];
  return {
    salePeriod: {
      starts: find(salePeriod?.starts),
      ends: find(salePeriod?.ends),
      spans: find(salePeriod?.spans),
    },
    // No answer about the column turns a price without tax into one with it.
    taxIncluded: findHeaders(unmapped, tax?.included ?? SAYS_TAX)[0],
    taxRate: findHeaders(columns, tax?.rate ?? [])[0],
    surcharge: find(surcharge),
    variations: find(listings?.variations),
    codeSeparator: listings?.separator,
  };
}
