/** Names, limits and settings of the guards. */

/** Guards over the texts, ids and images of a whole run. */
export type ContentGuard =
  | "moved-values"
  | "same-text"
  | "short-text"
  | "other-text"
  | "brand-change"
  | "no-images";

/** The fields that these guards watch. */
export type WatchedField =
  | "title"
  | "sub_title"
  | "description"
  | "brand_id"
  | "category_id"
  | "images"
  | "price"
  | "stock_count"
  | "discount_value"
  | "warranty_type"
  | "warranty_period"
  | "shipping_template_id"
  | "properties";

/** What is likely to have happened to a column whose values are not those of their products. */
export type MovedCause =
  | "slipped"
  | "sorted"
  | "series"
  | "swapped"
  | "alike"
  | "untaxed"
  | "scaled"
  | "taken";

/** The changes of one field that one guard counts, out of how many. */
export interface ContentCounts {
  readonly field: WatchedField;
  readonly guard: ContentGuard;
  /** Rows that change the field, or that update anything. */
  readonly rows: number;
  readonly changed: number;
  /** Why the values of `moved-values` are taken for those of others. */
  readonly cause?: MovedCause | undefined;
}

/** Counts of the stock changes of a run. */
export interface StockCounts {
  /** Rows that set the stock of a product that the store has. */
  readonly rows: number;
  /** Rows among them that set a product in stock to 0. */
  readonly emptied: number;
}

/** What a guard watches; `--allow` and the settings take this name. */
export type GuardName =
  | "price-drop"
  | "price-rise"
  | "price-scale"
  | "discount-price"
  | "currency-change"
  | "stock-rise"
  | "zero-stock"
  | "few-rows"
  | "fewer-columns"
  | "garbled-text"
  | ContentGuard;

/** Guards of feeds, which send nothing but stock and price. */
const FEED_GUARDS: readonly GuardName[] = [
  "price-drop",
  "price-rise",
  "price-scale",
  "discount-price",
  "currency-change",
  "stock-rise",
  "zero-stock",
  "few-rows",
  "fewer-columns",
  "moved-values",
];

/** Every guard, in the order in which help names them. */
const GUARD_NAMES: readonly GuardName[] = [
  "price-drop",
  "price-rise",
  "price-scale",
  "discount-price",
  "currency-change",
  "stock-rise",
  "zero-stock",
  "few-rows",
  "fewer-columns",
  "garbled-text",
  "moved-values",
  "same-text",
  "short-text",
  "other-text",
  "brand-change",
  "no-images",
];

/** Limits beyond which a change is held. Percentages are of the old value and may be fractions. */
export interface GuardLimits {
  /** Highest fall of a price, or of the price after the discount, in percent. */
  readonly priceDropPercent: number;
  /** Highest rise of a price in percent: 200 is three times the old price. */
  readonly priceRisePercent: number;
  /**
   * Distance from ×100 or ÷100, in percent, within which a price counts as a misplaced decimal
   * sign.
   */
  readonly scalePercent: number;
  /** Highest share, in percent, of the rows with a stock that may set a product in stock to 0 … */
  readonly zeroStockPercent: number;
  /** … where at least this number of rows have a stock. */
  readonly zeroStockRows: number;
  /** Lowest number of rows of a file, in percent of the rows that it had the last time. */
  readonly fewRowsPercent: number;
  /**
   * Highest share, in percent, of the rows that change a text, or of the rows that update a product,
   * that may do what a guard over texts, ids and images watches for …
   */
  readonly contentPercent: number;
  /** … where there are at least this number of them. */
  readonly contentRows: number;
}

/** The default limits. */
const GUARD_LIMITS: GuardLimits = {
  priceDropPercent: 50,
  priceRisePercent: 200,
  scalePercent: 10,
  zeroStockPercent: 30,
  zeroStockRows: 20,
  fewRowsPercent: 50,
  contentPercent: 30,
  contentRows: 20,
};

/** The values that a limit may have. */
interface GuardRange {
  readonly min: number;
  readonly max?: number;
  /** Whether only whole numbers are meant. @default false */
  readonly isWhole?: boolean;
}

/** The range of each limit. */
const GUARD_RANGES: Readonly<Record<keyof GuardLimits, GuardRange>> = {
  priceDropPercent: { min: 0, max: 100 },
  priceRisePercent: { min: 0 },
  scalePercent: { min: 0, max: 99 },
  zeroStockPercent: { min: 0, max: 100 },
  zeroStockRows: { min: 1, isWhole: true },
  fewRowsPercent: { min: 0, max: 100 },
  contentPercent: { min: 0, max: 100 },
  contentRows: { min: 1, isWhole: true },
};

/** All guards and the limits of those that have any. */
export const GUARDS: {
  /** In the order in which help names them. */
  readonly names: typeof GUARD_NAMES;
  /** The guards of feeds, which send nothing but stock and price. */
  readonly ofFeeds: typeof FEED_GUARDS;
  /** The default limits. */
  readonly defaults: GuardLimits;
  /** The values that each limit may have. */
  readonly ranges: typeof GUARD_RANGES;
} = { names: GUARD_NAMES, ofFeeds: FEED_GUARDS, defaults: GUARD_LIMITS, ranges: GUARD_RANGES };

/** The limits of one run, and the guards that are switched off for it. */
export interface GuardSettings {
  readonly limits: GuardLimits;
  readonly allowed: ReadonlySet<GuardName>;
}

/** The settings of a run from what was changed and what was allowed. */
export function toGuardSettings(
  limits: Partial<GuardLimits> = {},
  allowed: readonly GuardName[] = [],
): GuardSettings {
  return { limits: { ...GUARD_LIMITS, ...limits }, allowed: new Set(allowed) };
}

/** Every guard, at its default. */
export const ALL_GUARDS: GuardSettings = { limits: GUARD_LIMITS, allowed: new Set() };
