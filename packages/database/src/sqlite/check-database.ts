import { sql } from "kysely";

import { type Database } from "./sqlite.ts";

/**
 * What is wrong with the file, in SQLite's words; empty when it is sound. Reads all of it. Throws
 * `StoreError` `E_DATABASE` when the damage does not even let it be read.
 */
export function checkDatabase(database: Database): readonly string[] {
  const pragma = sql<{ readonly quick_check: string }>`PRAGMA quick_check`;
  const found = database.all({ compile: () => pragma.compile(database.build) });
  return found.map(({ quick_check }) => quick_check).filter((line) => line !== "ok");
}
