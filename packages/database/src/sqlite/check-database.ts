import { sql } from "kysely";

import type { FileDatabase } from "../sql/database.ts";

/**
 * Returns what is wrong with the file, in SQLite's words; empty when it is sound. Reads the whole
 * file. Throws `DatabaseError` `E_DATABASE` when the damage keeps it from being read.
 */
export function checkFile(database: FileDatabase): readonly string[] {
  const pragma = sql<{ readonly quick_check: string }>`PRAGMA quick_check`;
  const query = { compile: () => pragma.compile(database.build) };
  const found = database.executeNow(database.all(query));
  return found.map(({ quick_check }) => quick_check).filter((line) => line !== "ok");
}
