/** Many small writes in one transaction, where a failing one does not affect the others. */

import { DatabaseError } from "../errors.ts";
import { isAway, isConflict } from "../postgres/postgres-errors.ts";
import type { Queries } from "./database.ts";
import { eachStep, type Steps, together } from "./steps.ts";

/**
 * Writes all items within the caller's transaction, and returns the result of each. Failures are
 * rare, so all items share one savepoint; only when an item fails, that savepoint is rolled back
 * and each item gets its own. Throws where the disk or the server refuses, because that concerns all
 * of them.
 */
export function* inSavepoints<Item, Result>(
  { savepoint }: Pick<Queries, "savepoint">,
  items: readonly Item[],
  write: (item: Item) => Steps<Result>,
): Steps<readonly PromiseSettledResult<Result>[]> {
  const writeOne = (item: Item): Steps<PromiseFulfilledResult<Result>> => fulfil(write(item));
  try {
    return yield* savepoint(() => together(items.map(writeOne)));
  } catch (error) {
    if (concernsAll(error)) throw error;
  }
  return yield* eachStep(items, (item) => settle(savepoint(() => writeOne(item))));
}

function* fulfil<Result>(writing: Steps<Result>): Steps<PromiseFulfilledResult<Result>> {
  return { status: "fulfilled", value: yield* writing };
}

function* settle<Result>(
  writing: Steps<PromiseFulfilledResult<Result>>,
): Steps<PromiseSettledResult<Result>> {
  try {
    return yield* writing;
  } catch (error) {
    if (concernsAll(error)) throw error;
    return { status: "rejected", reason: error };
  }
}

const concernsAll = (error: unknown): boolean =>
  error instanceof DatabaseError || isAway(error) || isConflict(error);
