/** Many small writes in one transaction, of which one that fails spoils none of the others. */

import { StoreError } from "../errors.ts";
import { type Database } from "./sqlite.ts";

/**
 * Writes all items within the caller's transaction, and says how each of them went. As a rule none
 * fails, so all go into one part; only when one does, that is undone and each gets a part of its
 * own. Throws `StoreError` where the disk refuses, for that is about all of them.
 */
export function partByPart<Item, Result>(
  database: Pick<Database, "part">,
  items: readonly Item[],
  write: (item: Item) => Result,
): readonly PromiseSettledResult<Result>[] {
  const writeOne = (item: Item): PromiseFulfilledResult<Result> => ({
    status: "fulfilled",
    value: write(item),
  });
  try {
    return database.part(() => items.map(writeOne));
  } catch (error) {
    if (error instanceof StoreError) throw error;
  }
  return items.map((item) => {
    try {
      return database.part(() => writeOne(item));
    } catch (error) {
      if (error instanceof StoreError) throw error;
      return { status: "rejected", reason: error };
    }
  });
}
