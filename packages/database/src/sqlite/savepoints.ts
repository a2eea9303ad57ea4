/** Many small writes in one transaction, where a failing one does not affect the others. */

import { DatabaseError } from "../errors.ts";
import type { Database } from "./sqlite.ts";

/**
 * Writes all items within the caller's transaction, and returns the result of each. Failures are
 * rare, so all items share one savepoint; only when an item fails, that savepoint is rolled back
 * and each item gets its own. Throws `DatabaseError` where the disk refuses, because that concerns
 * all of them.
 */
export function inSavepoints<Item, Result>(
  database: Pick<Database, "savepoint">,
  items: readonly Item[],
  write: (item: Item) => Result,
): readonly PromiseSettledResult<Result>[] {
  const writeOne = (item: Item): PromiseFulfilledResult<Result> => ({
    status: "fulfilled",
    value: write(item),
  });
  try {
    return database.savepoint(() => items.map(writeOne));
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
  }
  return items.map((item) => {
    try {
      return database.savepoint(() => writeOne(item));
    } catch (error) {
      if (error instanceof DatabaseError) throw error;
      return { status: "rejected", reason: error };
    }
  });
}
