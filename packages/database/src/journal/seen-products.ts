/** The listing cache: the store's products as they were listed last. */

import type { ListingCache, ListedProductRow } from "@catalog/runs";
import type { Selectable } from "kysely";

import { prepareLookup } from "../sqlite/batches.ts";
import { fromJson, toJson } from "../sqlite/json.ts";
import type { ProductId, Schema } from "../sqlite/schema.ts";
import type { JournalContext } from "./context.ts";

export function createSeenProducts(context: JournalContext): ListingCache {
  const { database, store } = context;
  const { build } = database;
  const save = prepareSave(context);
  const selectSeen = build
    .selectFrom("seen_product")
    .select(["code_key", "status", "product_json"])
    .where("store", "=", store);
  const byCode = prepareLookup<string, FoundSeen>(database, (list) =>
    selectSeen.where("code_key", "in", list),
  );
  const seenCodes = prepareLookup<string, Pick<SeenColumns, "code_key">>(database, (list) =>
    build
      .selectFrom("seen_product")
      .select("code_key")
      .where("store", "=", store)
      .where("code_key", "in", list),
  );
  const byId = prepareLookup<ProductId, FoundSeen>(database, (list) =>
    selectSeen.where("product_id", "in", list),
  );

  return {
    async clearSeen() {
      // Without a condition SQLite empties the table at once instead of row by row.
      const isOnly = database.get(selectOthers(context)) === undefined;
      const all = build.deleteFrom("seen_product");
      database.run(isOnly ? all : all.where("store", "=", store));
    },
    async saveSeen(products) {
      // An empty list writes nothing.
      if (products.length === 0) return;
      database.transactionUnsynced(() => {
        save(products);
      });
    },
    async readSeenCodes(codeKeys) {
      return new Set(seenCodes(codeKeys).map(({ code_key }) => code_key));
    },
    async readSeenByCode(codeKeys) {
      return byCode(codeKeys).map(toSeen);
    },
    async readSeenById(productIds) {
      return byId(productIds).map(toSeen);
    },
  };
}

/** Products of other stores. */
const selectOthers = ({ database, store }: JournalContext) =>
  database.build
    .selectFrom("seen_product")
    .select("store")
    .where((where) => where.or([where("store", "<", store), where("store", ">", store)]))
    .limit(1);

type SeenColumns = Omit<Selectable<Schema["seen_product"]>, "id" | "store">;

function prepareSave({
  database,
  store,
}: JournalContext): (seen: readonly ListedProductRow[]) => void {
  const save = database.prepareEach<SeenColumns>((rows) =>
    database.build
      .insertInto("seen_product")
      .values(
        rows.map((arg) => ({
          store,
          product_id: arg("product_id"),
          code_key: arg("code_key"),
          suspect_key: arg("suspect_key"),
          status: arg("status"),
          price: arg("price"),
          product_json: arg("product_json"),
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(["store", "product_id"]).doUpdateSet((set) => ({
          code_key: set.ref("excluded.code_key"),
          suspect_key: set.ref("excluded.suspect_key"),
          status: set.ref("excluded.status"),
          price: set.ref("excluded.price"),
          product_json: set.ref("excluded.product_json"),
        })),
      ),
  );
  return (products) => {
    save(products.map(toColumns));
  };
}

const toColumns = (seen: ListedProductRow): SeenColumns => ({
  product_id: seen.product.id,
  code_key: seen.codeKey,
  suspect_key: seen.suspectKey ?? null,
  status: seen.status,
  price: seen.product.price ?? null,
  product_json: toJson(seen.product),
});

type FoundSeen = Pick<SeenColumns, "code_key" | "status" | "product_json">;

const toSeen = ({ code_key, status, product_json }: FoundSeen): ListedProductRow => ({
  codeKey: code_key,
  status,
  product: fromJson(product_json),
});
