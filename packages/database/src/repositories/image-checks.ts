import type { Clock } from "@catalog/clock";

import type { Database } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/json.ts";
import type { Steps } from "../sql/steps.ts";

/** Results of image checks, kept between runs. */
export interface ImageCheckCache {
  /** Reads what was last written under the key. */
  read<Memo>(key: string): Promise<Memo | undefined>;
  write(key: string, memo: unknown): Promise<void>;
}

const DAY_MS = 86_400_000;
const KEPT_MS = 90 * DAY_MS;

/** Creates the cache in the database. It deletes entries that were not written for 90 days. */
export function createImageCheckCache(database: Database, clock: Clock): ImageCheckCache {
  const { build } = database;
  let hasForgotten = false;

  function* forgetOld(): Steps<void> {
    if (hasForgotten) return;
    hasForgotten = true;
    const before = clock.now() - KEPT_MS;
    yield* database.run(build.deleteFrom("picture_memo").where("written_at_ms", "<", before));
  }

  function* write(key: string, memo: unknown): Steps<void> {
    yield* forgetOld();
    const columns = { key, written_at_ms: clock.now(), memo_json: toJson(memo) };
    yield* database.run(
      build
        .insertInto("picture_memo")
        .values(columns)
        .onConflict((conflict) => conflict.column("key").doUpdateSet(columns)),
    );
  }

  return {
    async read<Memo>(key: string) {
      const query = build.selectFrom("picture_memo").select("memo_json").where("key", "=", key);
      const found = await database.execute(database.get(query));
      return found === undefined ? undefined : fromJson<Memo>(found.memo_json);
    },
    async write(key, memo) {
      await database.execute(write(key, memo));
    },
  };
}
