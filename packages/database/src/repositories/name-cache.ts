import type { Clock } from "@catalog/clock";

import type { Database } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/json.ts";

/** Lists of names and ids that change rarely, kept between runs. */
export interface NameCache {
  /** Returns `undefined` when the list is unknown, or was written `maxAgeMs` ago or earlier. */
  read<Entry>(key: string, maxAgeMs: number): Promise<readonly Entry[] | undefined>;
  write(key: string, entries: readonly unknown[]): Promise<void>;
}

/** Creates a name cache in the database. A key names the marketplace, the list and its parent. */
export function createNameCache(database: Database, clock: Clock): NameCache {
  const { build } = database;
  return {
    async read<Entry>(key: string, maxAgeMs: number) {
      const query = build
        .selectFrom("name_list")
        .select("entries_json")
        .where("key", "=", key)
        .where("fetched_at_ms", ">", clock.now() - maxAgeMs);
      const found = await database.execute(database.get(query));
      return found === undefined ? undefined : fromJson<readonly Entry[]>(found.entries_json);
    },
    async write(key, entries) {
      const columns = { key, fetched_at_ms: clock.now(), entries_json: toJson(entries) };
      const query = build
        .insertInto("name_list")
        .values(columns)
        .onConflict((conflict) => conflict.column("key").doUpdateSet(columns));
      await database.execute(database.run(query));
    },
  };
}
