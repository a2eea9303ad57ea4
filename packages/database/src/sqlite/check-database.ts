import { sql } from "kysely";

import type { Database } from "./sqlite.ts";

/**
 * Returns what is wrong with the file, in SQLite's words; empty when it is sound. Reads the whole
 * file. Throws `DatabaseError` `E_DATABASE` when the damage keeps it from being read.
 */
export function checkDatabase(database: Database): readonly string[] {
  const pragma = sql<{ readonly quick_check: string }>`PRAGMA quick_check`;
  const found = database.all({ compile: () => pragma.compile(database.build) });
  return found.map(({ quick_check }) => quick_check).filter((line) => line !== "ok");
}
