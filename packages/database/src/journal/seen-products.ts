/** The listing cache: the store's products as they were listed last. */

import type { ListingCache, ListedProductRow } from "@catalog/runs";
import type { Selectable } from "kysely";

import { prepareLookup } from "../sql/batches.ts";
import { fromJson, toJson } from "../sql/json.ts";
import type { ProductId, Schema } from "../sql/schema.ts";
import type { Steps } from "../sql/steps.ts";
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
      await database.transaction(() => clearSeen(context));
    },
    async saveSeen(products) {
      // An empty list writes nothing.
      if (products.length === 0) return;
      await database.transactionUnsynced(() => save(products));
    },
    async readSeenCodes(codeKeys) {
      const found = await database.execute(seenCodes(codeKeys));
      return new Set(found.map(({ code_key }) => code_key));
    },
    async readSeenByCode(codeKeys) {
      return (await database.execute(byCode(codeKeys))).map(toSeen);
    },
    async readSeenById(productIds) {
      return (await database.execute(byId(productIds))).map(toSeen);
    },
  };
}

function* clearSeen(context: JournalContext): Steps<number> {
  const { database, store } = context;
  // Without a condition SQLite empties the table at once instead of row by row. PostgreSQL does not,
  // and another store may begin to write its products between the two statements.
  const isOnly =
    database.dialect === "sqlite" && (yield* database.get(selectOthers(context))) === undefined;
  const all = database.build.deleteFrom("seen_product");
  return yield* database.run(isOnly ? all : all.where("store", "=", store));
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
}: JournalContext): (seen: readonly ListedProductRow[]) => Steps<number> {
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
  return (products) => save(products.map(toColumns));
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
