import { type Database } from "./database/sqlite.ts";

/** Which marketplace, and which of its stores. */
export interface StoreAddress {
  readonly baseUrl: string;
  readonly storeId: string;
}

/** The number under which rows of this store are kept; given out at the first meeting. */
export function readStoreKey(database: Database, { baseUrl, storeId }: StoreAddress): number {
  const { build } = database;
  database.run(
    build
      .insertInto("store")
      .values({ base_url: baseUrl, store_id: storeId })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const found = database.get(
    build
      .selectFrom("store")
      .select("id")
      .where("base_url", "=", baseUrl)
      .where("store_id", "=", storeId),
  );
  if (found === undefined) throw new Error("a store that was just written cannot be read");
  return found.id;
}
