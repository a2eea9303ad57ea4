/**
 * The store's products as they were shown last, whoever has read them: found, sorted and counted by
 * narrow columns, with the listed values apart.
 */

import type { ListedProductRow } from "@catalog/runs";
import { type Expression, type SelectQueryBuilder, sql } from "kysely";

import type { RepositoryOptions } from "../locks/leases.ts";
import { dialectFunctions, fromJson } from "../sql/queries.ts";
import type { ProductId, Schema } from "../sql/schema.ts";
import {
  createStoreReadings,
  type JoinedRow,
  readWith,
  readWithNumbers,
  type StoreContext,
  type StoredListing,
  type StoreReadings,
  toUnshown,
} from "./store-readings.ts";

/** A product of the list. */
export interface StoredProduct extends StoredListing {
  /** Names the product in lists; no other product of the store ever has it. */
  readonly number: number;
  readonly atMs: number;
  /** When we last changed it. */
  readonly oursAtMs: number | null;
  /** When others were last seen to have, sales left out. */
  readonly othersAtMs: number | null;
  /** When the first value was sent that no reading has shown yet; `null` where all are shown. */
  readonly unshownSinceMs: number | null;
}

/** Which products are listed; all parts hold together. */
export interface StoreProductFilter {
  /** Folded as the index is; not empty. */
  readonly folded?: string | undefined;
  readonly brand?: string | undefined;
  readonly category?: string | undefined;
  readonly status?: string | undefined;
  /** What the buyer pays, in minor units. */
  readonly paid?: PaidRange | undefined;
  readonly minStock?: number | undefined;
  readonly maxStock?: number | undefined;
  readonly marks?: readonly StoreProductMark[] | undefined;
}

interface PaidRange {
  readonly unit: "minor" | "major";
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

type StoreProductMark = "sold-out" | "no-image" | "discount" | "ours" | "others";

export interface StoreProductSort {
  readonly by:
    | "code"
    | "title"
    | "brand"
    | "category"
    | "price"
    | "paid"
    | "discount"
    | "stock"
    | "status"
    | "images"
    | "ours"
    | "others"
    | "read";
  readonly isDescending: boolean;
}

/** A change that others made, as two readings show it; see `ShownChange` of the engine. */
interface StoreChange {
  readonly productId: ProductId;
  readonly field: string;
  /** Amounts in the unit of the listing; `undefined` where the listing did not show the field. */
  readonly before: unknown;
  readonly after: unknown;
  /** When the earlier value was seen last, or sent by us. */
  readonly sinceMs: number;
  readonly atMs: number;
}

interface ProductFacet {
  readonly value: string;
  readonly products: number;
}

/** The list of one store. */
export interface StoreProductRepository extends StoreReadings {
  /** Numbers of the products of a filter, in their order. @default sort in the order of the numbers */
  order(filter: StoreProductFilter, sort?: StoreProductSort): Promise<Uint32Array>;
  /** Products by their numbers, in the order of these; a number without a product is left out. */
  readByNumber(numbers: readonly number[]): Promise<readonly StoredProduct[]>;
  readById(productIds: readonly ProductId[]): Promise<readonly StoredProduct[]>;
  /** How many products have each value, the most frequent first. */
  readFacets(
    limit: number,
  ): Promise<Readonly<Record<"brand" | "category" | "status", readonly ProductFacet[]>>>;
  /** How many products have each shipping template, as the list shows it. */
  countByTemplate(): Promise<ReadonlyMap<string, number>>;
  /** What others changed in a product, the latest first. */
  readChanges(productId: ProductId, limit: number): Promise<readonly StoreChange[]>;
}

type Row = Schema["store_product"];

/** Creates the list of a store; products of other stores are not visible. */
export function createStoreProductRepository(options: RepositoryOptions): StoreProductRepository {
  const { database, clock } = options;
  const context = { database, store: database.storeKey(options.store), now: () => clock.now() };
  return { ...createStoreReadings(context), ...createReads(context) };
}

type Reads = Omit<StoreProductRepository, keyof StoreReadings>;

function createReads(context: StoreContext): Reads {
  const { database, store } = context;
  const { build } = database;
  return {
    async order(filter, sort) {
      const { toJsonArray } = dialectFunctions(database.dialect);
      const number = sql.ref<number>("number");
      const order = sort === undefined ? number : toOrder(sort);
      const query = filterProducts(context, filter).select(
        toJsonArray(number, order).as("numbers"),
      );
      const found = await database.execute(database.get(query));
      return Uint32Array.from(fromJson<number[]>(found?.numbers ?? "[]"));
    },
    async readByNumber(numbers) {
      const rows = await database.execute(readWithNumbers(context, numbers));
      const found = new Map(rows.map((row) => [row.number, row]));
      return numbers
        .map((number) => found.get(number))
        .filter(isThere)
        .map(toStored);
    },
    readById: async (productIds) =>
      (await database.execute(readWith(context, productIds))).map(toStored),
    async readFacets(limit) {
      const read = (column: "brand" | "category" | "status"): Promise<readonly ProductFacet[]> =>
        database.execute(
          database.all(
            build
              .selectFrom("store_product")
              .select([sql<string>`${sql.ref(column)}`.as("value")])
              .select(sql<number>`count(*)`.as("products"))
              .where("store", "=", store)
              .where(column, "is not", null)
              .groupBy(column)
              .orderBy("products", "desc")
              .orderBy(column)
              .limit(limit),
          ),
        );
      return {
        brand: await read("brand"),
        category: await read("category"),
        status: await read("status"),
      };
    },
    async countByTemplate() {
      const { jsonText } = dialectFunctions(database.dialect);
      const template = jsonText(sql.ref<string>("product_json"), "shipping_template_id");
      const query = build
        .selectFrom("store_product_json")
        .select(template.as("template"))
        .select(sql<number>`count(*)`.as("products"))
        .where("store", "=", store)
        .groupBy("template");
      const found = await database.execute(database.all(query));
      return new Map(found.map((row) => [row.template ?? "", row.products]));
    },
    async readChanges(productId, limit) {
      const query = build
        .selectFrom("store_change")
        .selectAll()
        .where("product_id", "=", productId)
        .where("store", "=", store)
        .orderBy("at_ms", "desc")
        .orderBy("id", "desc")
        .limit(limit);
      return (await database.execute(database.all(query))).map((row) => ({
        productId: row.product_id,
        field: row.field,
        before: fromOptionalJson(row.before_json),
        after: fromOptionalJson(row.after_json),
        sinceMs: row.since_ms,
        atMs: row.at_ms,
      }));
    },
  };
}

const isThere = <Value>(value: Value | undefined): value is Value => value !== undefined;

const fromOptionalJson = (json: string | null): unknown =>
  json === null ? undefined : fromJson(json);

function toStored(row: JoinedRow): StoredProduct {
  const times = Object.values(toUnshown(row.unshown_json)).map(({ atMs }) => atMs);
  return {
    number: row.number,
    status: row.status,
    product: fromJson<ListedProductRow["product"]>(row.product_json),
    atMs: row.read_at_ms,
    oursAtMs: row.ours_at_ms,
    othersAtMs: row.others_at_ms,
    unshownSinceMs: times.length === 0 ? null : Math.min(...times),
  };
}

/** Sorted by a column, products without a value last, equal ones by their numbers. */
function toOrder({ by, isDescending }: StoreProductSort): Expression<unknown> {
  const direction = sql.raw(isDescending ? "DESC NULLS LAST" : "ASC NULLS LAST");
  return sql`${sql.ref(SORT_COLUMNS[by])} ${direction}, number`;
}

/** Amounts sort alike under both units. */
const SORT_COLUMNS: Readonly<Record<StoreProductSort["by"], keyof Row>> = {
  code: "code_sort",
  title: "title_sort",
  brand: "brand_sort",
  category: "category_sort",
  price: "price_if_major",
  paid: "paid_if_major",
  discount: "discount",
  stock: "stock",
  status: "status",
  images: "images",
  ours: "ours_at_ms",
  others: "others_at_ms",
  read: "read_at_ms",
};

type Filtered = SelectQueryBuilder<Schema, "store_product", object>;

function filterProducts({ database, store }: StoreContext, filter: StoreProductFilter): Filtered {
  const { contains } = dialectFunctions(database.dialect);
  const { folded, paid, minStock, maxStock, marks = [] } = filter;
  let query: Filtered = database.build.selectFrom("store_product").where("store", "=", store);
  for (const column of ["brand", "category", "status"] as const) {
    const value = filter[column];
    if (value !== undefined) query = query.where(column, "=", value);
  }
  if (folded !== undefined) query = query.where(contains(sql.ref<string>("folded"), folded));
  if (minStock !== undefined) query = query.where("stock", ">=", minStock);
  if (maxStock !== undefined) query = query.where("stock", "<=", maxStock);
  if (paid !== undefined) {
    const column = paid.unit === "minor" ? "paid_if_minor" : "paid_if_major";
    if (paid.min !== undefined) query = query.where(column, ">=", paid.min);
    if (paid.max !== undefined) query = query.where(column, "<=", paid.max);
  }
  return marks.reduce((so, mark) => MARKS[mark](so), query);
}

const MARKS: Readonly<Record<StoreProductMark, (query: Filtered) => Filtered>> = {
  "sold-out": (query) => query.where("stock", "<=", 0),
  "no-image": (query) => query.where("images", "=", 0),
  discount: (query) => query.where("discount", "is not", null),
  ours: (query) => query.where("ours_at_ms", "is not", null),
  others: (query) => query.where("others_at_ms", "is not", null),
};
