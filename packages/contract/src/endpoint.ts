/**
 * The form of one row of the endpoint table, and the limits, closed lists and shared query fields
 * that the specification states, each with its section. The client, the sandbox and the documents
 * all read it, so that a path or a parameter name is written once.
 */

import * as z from "zod";

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

/**
 * An optional field with the default that the specification states. The default is declared in the
 * schema and not filled in, so that a request holds only what the caller gave.
 */
export function withDefault<Schema extends z.ZodType>(
  schema: Schema,
  value: string | number | boolean,
): z.ZodOptional<Schema> {
  return z.optional(schema).meta({ default: value });
}

const LIMIT_TEXT = "Elements a page";

/** `limit` of a listing that states a maximum. */
export const limit: z.ZodOptional<z.ZodInt> = withDefault(
  z.int().min(1).max(MAX_PAGE_SIZE),
  DEFAULT_PAGE_SIZE,
).meta({ default: DEFAULT_PAGE_SIZE, description: LIMIT_TEXT });

/** `limit` of a listing that states no maximum. */
export const limitWithoutMaximum: z.ZodOptional<z.ZodInt> = withDefault(
  z.int().min(1),
  DEFAULT_PAGE_SIZE,
).meta({ default: DEFAULT_PAGE_SIZE, description: LIMIT_TEXT });

export const page: z.ZodOptional<z.ZodInt> = withDefault(z.int().min(1), 1).meta({
  default: 1,
  description: "Counted from 1",
});

/** A time in a query: a UNIX timestamp in whole seconds. */
export const timestamp: z.ZodOptional<z.ZodInt> = z
  .int()
  .optional()
  .meta({ description: "UNIX timestamp in seconds" });

export const sortOrder: z.ZodOptional<z.ZodEnum<{ [Order in SortOrder]: Order }>> = withDefault(
  z.enum(SORT_ORDERS),
  "descending",
);

/** A switch whose only value is 1; leaving it out turns it off. */
export const switchedOn: z.ZodOptional<z.ZodLiteral<1>> = z.literal(1).optional();

/** A `Date` in an answer: its format is not stated. */
export type Moment = string | number;

export const moment: z.ZodType<Moment> = z.union([z.string(), z.number()]);

/** A prefix that paths carry. */
export type Version = "v1.0" | "v1.1";

/** A schema of an object whose fields can be listed. */
export interface ObjectSchema<T> extends z.ZodType<T> {
  readonly shape: Readonly<Record<string, z.core.$ZodType>>;
}

/**
 * What sending the request again does: `read` changes nothing, `set` carries absolute values and so
 * ends in the same state, `create` makes a duplicate.
 */
export type Effect = "read" | "set" | "create";

/** What a paged listing states of its pages. */
interface Paging {
  /** `limit` when the request names none. */
  readonly defaultSize: number;
  /** Largest `limit` that the specification states; `undefined` where it states none. */
  readonly maxSize: number | undefined;
}

/**
 * One call of the API. `Input` is everything the caller gives: the path parameters other than
 * `:storeId`, and the query (GET) or the body (POST). `Data` is the answer's `data`.
 */
export interface Endpoint<Input, Data> {
  readonly method: "GET" | "POST";
  /** Below the version prefix; `:name` marks a path parameter. */
  readonly path: string;
  /** Prefixes under which it is known, the one in the specification's heading first; [] is none. */
  readonly versions: readonly Version[];
  /**
   * Who grants the call: no one (`none`, the token call), the platform (`general`) or the store's
   * owner (`store`); section Authentication, 6 and 7.
   */
  readonly permission: "none" | "general" | "store";
  readonly effect: Effect;
  readonly paging: Paging | undefined;
  /**
   * Fields of a listing's element that may be left out when their value does not fit; never one
   * that tells the product's identity, its stock or its price. @default none
   */
  readonly spareFields?: readonly string[] | undefined;
  /** Fields of the body that the specification does not name for this call. @default none */
  readonly undocumentedFields?: readonly string[] | undefined;
  /** Where the specification describes it. */
  readonly section: string;
  readonly summary: string;
  readonly input: ObjectSchema<Input>;
  readonly data: z.ZodType<Data>;
}

/** The input of a call that takes none: `{}`. */
export type NoInput = Readonly<Record<string, never>>;

/** The `data` of every paged listing (section Conventions, 4). */
export interface Page<Item> {
  readonly total: number;
  readonly result: readonly Item[];
}

/** `limit` and `page` of a paged listing. */
export interface PageQuery {
  /** Elements a page. @default 20 */
  readonly limit?: number | undefined;
  /** Counted from 1. @default 1 */
  readonly page?: number | undefined;
}

/** A listing that answers in pages; `OnePage` says more where a page has more than elements. */
export interface PagedEndpoint<
  Input extends PageQuery,
  Item,
  OnePage extends Page<Item> = Page<Item>,
> extends Endpoint<Input, OnePage> {
  readonly paging: Paging;
}

/** The schema of a page of `item`; unknown keys beside `total` and `result` are kept. */
export function pageOf<Item>(item: z.ZodType<Item>): z.ZodType<Page<Item>> {
  return z.looseObject({ total: z.int().nonnegative(), result: z.array(item) });
}

/** Names of the parameters in an endpoint's path, in order: `storeId` included. */
export function pathParameters(endpoint: Pick<Endpoint<unknown, unknown>, "path">): string[] {
  return [...endpoint.path.matchAll(/:([A-Za-z]+)/gu)].map((match) => match[1] ?? "");
}
