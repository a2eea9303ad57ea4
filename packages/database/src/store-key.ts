import { canonicalAddress, canonicalStoreId } from "@catalog/client/market-address";

import type { Database, Queries } from "./sql/database.ts";
import type { Steps } from "./sql/steps.ts";

/** The address of a store: its marketplace and its id there. */
export interface StoreAddress {
  readonly baseUrl: string;
  readonly storeId: string;
}

/** Returns the one form of a store's address, however it was typed. */
export function toStoreAddress({ baseUrl, storeId }: StoreAddress): StoreAddress {
  return { baseUrl: canonicalAddress(baseUrl), storeId: canonicalStoreId(storeId) };
}

/**
 * Returns the number under which rows of this store are kept; assigned when the store is first
 * used.
 */
export function readStoreKey(database: Pick<Database, "storeKey">, address: StoreAddress): number {
  return database.storeKey(address);
}

/** Reads that number, and assigns it to a new store. */
export function* readStoreKeyIn(
  { build, run, get }: Queries,
  address: StoreAddress,
): Steps<number> {
  const { baseUrl, storeId } = toStoreAddress(address);
  yield* run(
    build
      .insertInto("store")
      .values({ base_url: baseUrl, store_id: storeId })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const found = yield* get(
    build
      .selectFrom("store")
      .select("id")
      .where("base_url", "=", baseUrl)
      .where("store_id", "=", storeId),
  );
  if (found === undefined) throw new Error("a store that was just written cannot be read");
  return found.id;
}
