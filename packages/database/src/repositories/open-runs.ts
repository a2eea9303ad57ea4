import type { Database } from "../sql/database.ts";
import { readStoreKey, type StoreAddress } from "../store-key.ts";

/** Returns the ids of the store's runs that are not finished, the last changed first. */
export async function listOpenRuns(
  database: Database,
  address: StoreAddress,
  max: number,
): Promise<readonly string[]> {
  const query = database.build
    .selectFrom("run")
    .leftJoin("run_archive", "run_archive.run_id", "run.id")
    .select("run.id")
    .where("run.store", "=", readStoreKey(database, address))
    .where("run.state", "in", ["planning", "planned", "running", "stopped"])
    // A plan that was never applied keeps its state when its rows are deleted.
    .where("run_archive.pruned_at_ms", "is", null)
    .orderBy("run.updated_at_ms", "desc")
    .orderBy("run.id")
    .limit(max);
  return (await database.execute(database.all(query))).map(({ id }) => id);
}
