/**
 * The form of one row of the endpoint table. The client, the sandbox and the documents all read it,
 * so that a path or a parameter name is written once.
 */

import * as z from "zod";

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
export interface Paging {
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
