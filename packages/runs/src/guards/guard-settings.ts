/** Names, labels, limits and settings of the guards. */

import type { Localized } from "@catalog/i18n";

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

/** Guards of feeds, which send nothing but stock and price. */
const FEED_GUARDS: readonly GuardName[] = [
  "price-drop",
  "price-rise",
  "price-scale",
  "discount-price",
  "currency-change",
  "below-cost",
  "stock-rise",
  "zero-stock",
  "few-rows",
  "fewer-columns",
  "moved-values",
  "no-rules",
  "absent",
];

/** Every guard, in the order in which help names them. */
const GUARD_NAMES = [
  "price-drop",
  "price-rise",
  "price-scale",
  "discount-price",
  "currency-change",
  "below-cost",
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
  "no-rules",
  "absent",
] as const;

/** What a guard watches; `--allow` and the settings take this name. */
export type GuardName = (typeof GUARD_NAMES)[number];

/** Each guard in a few words, for reports. */
const GUARD_LABELS: Readonly<Record<GuardName, Localized>> = {
  "price-drop": { tr: "Fiyat çok düşüyor", en: "Price falls too far" },
  "price-rise": { tr: "Fiyat çok artıyor", en: "Price rises too far" },
  "price-scale": { tr: "Fiyat 100 kat şaşmış olabilir", en: "Price may be 100 times off" },
  "discount-price": { tr: "İndirimli fiyat fiyattan yüksek", en: "Discounted price is not lower" },
  "currency-change": { tr: "Para birimi değişiyor", en: "Currency changes" },
  "below-cost": { tr: "Maliyetin altında satış", en: "Sold below cost" },
  "stock-rise": { tr: "Stok başka bir numara olabilir", en: "Stock may be another number" },
  "zero-stock": { tr: "Çok sayıda stok sıfırlanıyor", en: "Too many stocks go to 0" },
  "few-rows": { tr: "Besleme eksik görünüyor", en: "The feed seems incomplete" },
  "fewer-columns": { tr: "Beslemeden sütun eksilmiş", en: "The feed lacks a column" },
  "garbled-text": { tr: "Bozuk harfler", en: "Garbled letters" },
  "moved-values": {
    tr: "Çok sayıda ürün başka ürünün değerini alıyor",
    en: "Many products get the value of another",
  },
  "same-text": { tr: "Çok sayıda ürün aynı metni alıyor", en: "Many products get the same text" },
  "short-text": { tr: "Metinler çok kısalıyor", en: "Texts shrink too far" },
  "other-text": { tr: "Başlıklar bambaşka oluyor", en: "Titles keep none of their words" },
  "brand-change": {
    tr: "Çok sayıda ürünün markası ya da kategorisi değişiyor",
    en: "Too many brands or categories change",
  },
  "no-images": {
    tr: "Çok sayıda ürünün görselleri kalkıyor",
    en: "Too many products lose their images",
  },
  "no-rules": { tr: "Hiçbir fiyat kuralı uymuyor", en: "No price rule fits" },
  absent: { tr: "Ürünler beslemede yok", en: "Products absent from the feed" },
};

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
  /** The limit on the settings page. @default it is not shown there */
  readonly label?: Localized;
}

/** The range of each limit. */
const GUARD_RANGES: Readonly<Record<keyof GuardLimits, GuardRange>> = {
  priceDropPercent: {
    min: 0,
    max: 100,
    label: {
      tr: "Fiyat düşüşü, en çok (%)",
      en: "Fall of a price, at most (%)",
    },
  },
  priceRisePercent: {
    min: 0,
    label: {
      tr: "Fiyat artışı, en çok (%)",
      en: "Rise of a price, at most (%)",
    },
  },
  scalePercent: { min: 0, max: 99 },
  zeroStockPercent: {
    min: 0,
    max: 100,
    label: {
      tr: "Stoğu sıfırlanan ürünler, en çok (%)",
      en: "Products whose stock becomes 0, at most (%)",
    },
  },
  zeroStockRows: { min: 1, isWhole: true },
  fewRowsPercent: {
    min: 0,
    max: 100,
    label: {
      tr: "Dosyanın satırları, öncekinin en az (%)",
      en: "Rows of a file, of the one before at least (%)",
    },
  },
  contentPercent: {
    min: 0,
    max: 100,
    label: {
      tr: "Metni, markası, görseli topluca değişen ürünler, en çok (%)",
      en: "Products whose texts, brands or images change alike, at most (%)",
    },
  },
  contentRows: { min: 1, isWhole: true },
};

function isLimit(name: string): name is keyof GuardLimits {
  return Object.hasOwn(GUARD_RANGES, name);
}

/** All guards and the limits of those that have any. */
export const GUARDS: {
  /** In the order in which help names them. */
  readonly names: typeof GUARD_NAMES;
  /** The guards of feeds, which send nothing but stock and price. */
  readonly ofFeeds: typeof FEED_GUARDS;
  /** Each guard in a few words. */
  readonly labels: typeof GUARD_LABELS;
  /** The default limits. */
  readonly defaults: GuardLimits;
  /** The values that each limit may have, and what the settings page calls it. */
  readonly ranges: typeof GUARD_RANGES;
  /** The names of the limits. */
  readonly limits: readonly (keyof GuardLimits)[];
  isLimit(name: string): name is keyof GuardLimits;
} = {
  names: GUARD_NAMES,
  ofFeeds: FEED_GUARDS,
  labels: GUARD_LABELS,
  defaults: GUARD_LIMITS,
  ranges: GUARD_RANGES,
  limits: Object.keys(GUARD_RANGES).filter(isLimit),
  isLimit,
};

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
