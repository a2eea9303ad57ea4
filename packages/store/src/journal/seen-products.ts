/** The store's products as the last listing showed them. */

import { type Journal, type SeenProduct } from "@catalog/runs";
import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool } from "kysely";

import { readInBatches } from "../database/batches.ts";
import { fromJson, toJson } from "../database/json.ts";
import { type Schema } from "../database/schema.ts";
import { type JournalRoom } from "./room.ts";

type SeenMethods = Pick<Journal, "clearSeen" | "saveSeen" | "readSeenByCode" | "readSeenById">;

export function createSeenProducts(room: JournalRoom): SeenMethods {
  const { database, store } = room;
  const { build } = database;

  return {
    async clearSeen() {
      database.run(build.deleteFrom("seen_product").where("store", "=", store));
    },
    async saveSeen(products) {
      database.transaction(() => {
        for (const product of products) saveSeen(room, product);
      });
    },
    async readSeenByCode(codeKeys) {
      return readInBatches(codeKeys, (batch) =>
        readSeen(room, (where) => where("code_key", "in", batch)),
      );
    },
    async readSeenById(productIds) {
      return readInBatches(productIds, (batch) =>
        readSeen(room, (where) => where("product_id", "in", batch)),
      );
    },
  };
}

function saveSeen(
  { database, store }: JournalRoom,
  { codeKey, status, product }: SeenProduct,
): void {
  const columns = {
    store,
    product_id: product.id,
    code_key: codeKey,
    status,
    price: product.price ?? null,
    product_json: toJson(product),
  };
  database.run(
    database.build
      .insertInto("seen_product")
      .values(columns)
      .onConflict((conflict) => conflict.columns(["store", "product_id"]).doUpdateSet(columns)),
  );
}

type Where = (
  builder: ExpressionBuilder<Schema, "seen_product">,
) => ExpressionWrapper<Schema, "seen_product", SqlBool>;

function readSeen({ database, store }: JournalRoom, where: Where): SeenProduct[] {
  return database
    .all(
      database.build
        .selectFrom("seen_product")
        .select(["code_key", "status", "product_json"])
        .where("store", "=", store)
        .where(where),
    )
    .map(({ code_key, status, product_json }) => ({
      codeKey: code_key,
      status,
      product: fromJson(product_json),
    }));
}
