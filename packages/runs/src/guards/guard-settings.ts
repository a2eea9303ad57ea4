/** Which mistakes of a sheet are too dear to be sent unseen, and from where on they count as such. */

/** What a guard watches; the name is what `--allow` and the settings take. */
export type GuardName =
  | "price-drop"
  | "price-rise"
  | "price-scale"
  | "discount-price"
  | "zero-stock"
  | "few-rows";

/** Every guard, in the order in which help names them. */
export const GUARD_NAMES: readonly GuardName[] = [
  "price-drop",
  "price-rise",
  "price-scale",
  "discount-price",
  "zero-stock",
  "few-rows",
];

/** From where on a change is held. Percentages are of the old value, and may have a fraction. */
export interface GuardLimits {
  /** A price, or what a buyer pays, may fall by so much. */
  readonly priceDropPercent: number;
  /** A price may rise by so much: 200 is three times the old price. */
  readonly priceRisePercent: number;
  /** How near to ×100 or ÷100 a price counts as a slip of the decimal sign. */
  readonly scalePercent: number;
  /** So many of the rows with a stock may set a product that has some to 0 … */
  readonly zeroStockPercent: number;
  /** … where there are at least so many rows with a stock. */
  readonly zeroStockRows: number;
  /** A file must have so many of the rows that it had the last time. */
  readonly fewRowsPercent: number;
}

/** What holds unless it is set otherwise. */
export const GUARD_LIMITS: GuardLimits = {
  priceDropPercent: 50,
  priceRisePercent: 200,
  scalePercent: 10,
  zeroStockPercent: 30,
  zeroStockRows: 20,
  fewRowsPercent: 50,
};

/** The limits of one run, and the guards that were allowed to let everything pass. */
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
