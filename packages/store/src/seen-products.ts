/** The store's products as the last listing showed them. */

import { type Journal, type SeenProduct } from "@catalog/runs";
import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool } from "kysely";

import { fromJson, toJson } from "./json.ts";
import { type JournalRoom } from "./row-table.ts";
import { type Schema } from "./schema.ts";

type SeenMethods = Pick<
  Journal,
  "clearSeen" | "saveSeen" | "readSeenByCode" | "readSeenById" | "readPriceEvidence"
>;

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
      if (codeKeys.length === 0) return [];
      return readSeen(room, (where) => where("code_key", "in", codeKeys));
    },
    async readSeenById(productIds) {
      if (productIds.length === 0) return [];
      return readSeen(room, (where) => where("product_id", "in", productIds));
    },
    async readPriceEvidence(limit) {
      return readPriceEvidence(room, limit);
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

/** Products whose last answered body named a price, beside the price that the listing showed. */
function readPriceEvidence(
  { database, store }: JournalRoom,
  limit: number,
): Awaited<ReturnType<Journal["readPriceEvidence"]>> {
  const pairs = database.all(
    database.build
      .selectFrom("op")
      .innerJoin("seen_product", (join) =>
        join
          .onRef("seen_product.product_id", "=", "op.product_id")
          .onRef("seen_product.store", "=", "op.store"),
      )
      .select(["op.price as sent", "seen_product.price as seen"])
      .where("op.store", "=", store)
      .where("op.state", "=", "done")
      .where("op.price", "is not", null)
      .where("seen_product.price", "is not", null)
      .orderBy("op.settled_at_ms", "desc")
      .limit(limit),
  );
  return pairs.flatMap(({ sent, seen }) =>
    sent === null || seen === null ? [] : [{ sent, seen }],
  );
}
