/** Filters of the product listing that were seen to find a known product, or to miss it. */

import type { FilterProofs } from "@catalog/runs";

import type { Database } from "../sql/database.ts";
import { readStoreKey, type StoreAddress } from "../store-key.ts";

/** The database and the store of the proofs. */
export interface FilterProofsOptions {
  readonly database: Database;
  readonly store: StoreAddress;
}

/**
 * Creates the repository of one store, because a filter that works in one store may fail in
 * another.
 */
export function createFilterProofs({ database, ...of }: FilterProofsOptions): FilterProofs {
  const { build } = database;
  const store = readStoreKey(database, of.store);
  return {
    async readProof(filter) {
      const query = build
        .selectFrom("filter_proof")
        .select(["works", "found_at_ms"])
        .where("store", "=", store)
        .where("filter", "=", filter);
      const found = await database.execute(database.get(query));
      return found && { works: found.works === 1, atMs: found.found_at_ms };
    },
    async saveProof(filter, { works, atMs }) {
      const proof = { works: works ? 1 : 0, found_at_ms: atMs };
      const query = build
        .insertInto("filter_proof")
        .values({ store, filter, ...proof })
        .onConflict((conflict) => conflict.columns(["store", "filter"]).doUpdateSet(proof));
      await database.execute(database.run(query));
    },
  };
}
