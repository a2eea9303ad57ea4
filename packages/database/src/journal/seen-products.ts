/** The listing cache: the store's products as they were listed last. */

import type { ListingCache, ListedProductRow } from "@catalog/runs";
import type { ExpressionBuilder, ExpressionWrapper, Selectable, SqlBool } from "kysely";

import { readInBatches } from "../sqlite/batches.ts";
import { fromJson, toJson } from "../sqlite/json.ts";
import type { Schema } from "../sqlite/schema.ts";
import type { JournalContext } from "./context.ts";

export function createSeenProducts(context: JournalContext): ListingCache {
  const { database, store } = context;
  const { build } = database;
  const save = prepareSave(context);

  return {
    async clearSeen() {
      database.run(build.deleteFrom("seen_product").where("store", "=", store));
    },
    async saveSeen(products) {
      // An empty list writes nothing.
      if (products.length === 0) return;
      database.transactionUnsynced(() => {
        for (const product of products) save(product);
      });
    },
    async readSeenCodes(codeKeys) {
      const found = readInBatches(codeKeys, (batch) =>
        database.all(
          build
            .selectFrom("seen_product")
            .select("code_key")
            .where("store", "=", store)
            .where("code_key", "in", batch),
        ),
      );
      return new Set(found.map(({ code_key }) => code_key));
    },
    async readSeenByCode(codeKeys) {
      return readInBatches(codeKeys, (batch) =>
        readSeen(context, (where) => where("code_key", "in", batch)),
      );
    },
    async readSeenById(productIds) {
      return readInBatches(productIds, (batch) =>
        readSeen(context, (where) => where("product_id", "in", batch)),
      );
    },
  };
}

function prepareSave({ database, store }: JournalContext): (seen: ListedProductRow) => void {
  const save = database.prepare<Omit<Selectable<Schema["seen_product"]>, "store">>((arg) => {
    const rest = {
      code_key: arg("code_key"),
      suspect_key: arg("suspect_key"),
      status: arg("status"),
      price: arg("price"),
      product_json: arg("product_json"),
    };
    return database.build
      .insertInto("seen_product")
      .values({ store, product_id: arg("product_id"), ...rest })
      .onConflict((conflict) => conflict.columns(["store", "product_id"]).doUpdateSet(rest));
  });
  return ({ codeKey, suspectKey = null, status, product }) => {
    save({
      product_id: product.id,
      code_key: codeKey,
      suspect_key: suspectKey,
      status,
      price: product.price ?? null,
      product_json: toJson(product),
    });
  };
}

type Filter = (
  builder: ExpressionBuilder<Schema, "seen_product">,
) => ExpressionWrapper<Schema, "seen_product", SqlBool>;

function readSeen({ database, store }: JournalContext, where: Filter): ListedProductRow[] {
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
