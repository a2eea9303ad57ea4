/** The limits and closed lists that the specification states, each with its section. */

/** Page size when a listing is asked without `limit` (section Limits). */
export const DEFAULT_PAGE_SIZE = 20;

/** Largest page of every listing that states a maximum (section Limits). */
export const MAX_PAGE_SIZE = 50;

/** How long a token is valid, in milliseconds (section Authentication, 3). */
export const TOKEN_VALIDITY_MS: number = 6 * 60 * 60 * 1000;

/** Currencies of a product; prices are in the minor unit of each (section Products, add). */
export const CURRENCIES = ["TL", "USD", "EUR"] as const;
/** A currency of prices. */
export type Currency = (typeof CURRENCIES)[number];

/** 1 none, 2 importer, 3 supplier, 4 technical service (section Products, add). */
export const WARRANTY_TYPES = [1, 2, 3, 4] as const;
/** See `WARRANTY_TYPES`. */
export type WarrantyType = (typeof WARRANTY_TYPES)[number];

/** Months; 0 means no warranty (section Products, add). */
export const WARRANTY_PERIODS = [0, 12, 24, 36] as const;
/** See `WARRANTY_PERIODS`. */
export type WarrantyPeriod = (typeof WARRANTY_PERIODS)[number];

/** 1 discount amount, 2 discount rate, 3 discounted price (section Products, add). */
export const DISCOUNT_TYPES = [1, 2, 3] as const;
/** See `DISCOUNT_TYPES`. */
export type DiscountType = (typeof DISCOUNT_TYPES)[number];

/** Least and greatest discount rate, in percent, of discount type 2 (section Limits). */
export const DISCOUNT_RATE = { min: 1, max: 99 } as const;

/** Only stores that sell consumer to consumer state it (section Products, add). */
export const PRODUCT_CONDITIONS = ["new", "used"] as const;
/** See `PRODUCT_CONDITIONS`. */
export type ProductCondition = (typeof PRODUCT_CONDITIONS)[number];

/** Filter values of the product listing; `approved` is the default (section Product status). */
export const LISTING_STATUSES = ["approved", "passive", "veto"] as const;
/** See `LISTING_STATUSES`. */
export type ListingStatus = (typeof LISTING_STATUSES)[number];

/** Values of every `sort_by_…` parameter; `descending` is the default. */
export const SORT_ORDERS = ["ascending", "descending"] as const;
/** See `SORT_ORDERS`. */
export type SortOrder = (typeof SORT_ORDERS)[number];

/** Kinds of store that the product search distinguishes (section Products, search). */
export const STORE_TYPES = ["b2c", "c2c"] as const;
/** See `STORE_TYPES`. */
export type StoreType = (typeof STORE_TYPES)[number];

/** Filter values of the comment listings (section Comments). */
export const SATISFACTIONS = ["happy", "unhappy", "neutral"] as const;
/** See `SATISFACTIONS`. */
export type Satisfaction = (typeof SATISFACTIONS)[number];

/** 1 awaiting transfer, 2 transferred, 3 cancelled (section Payment status). */
export const PAYMENT_STATUSES = [1, 2, 3] as const;
/** See `PAYMENT_STATUSES`. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Filter values of the order listing, the example's 0 included (section Order and package status). */
export const ORDER_STATUS = { min: 0, max: 16 } as const;
