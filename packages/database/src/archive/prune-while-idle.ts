/** Archives and prunes for a moment at the end of a command, without making anybody wait. */

import type { Clock } from "@catalog/clock";

import { DatabaseError } from "../errors.ts";
import { type Database, isFileDatabase } from "../sql/database.ts";
import { readFreeBytes } from "../sqlite/filesystem-checks.ts";
import { releasePages } from "../sqlite/free-space.ts";
import { MIN_FREE_BYTES } from "../sqlite/reserved-space.ts";
import type { RunPruner, Transact } from "./run-pruner.ts";

/** The pruner of a store, and how much it may do. */
export interface PruneWhileIdleOptions {
  readonly database: Database;
  readonly pruner: RunPruner;
  readonly clock: Clock;
  /** How long rows of finished runs are kept, in milliseconds. */
  readonly keepMs: number;
  /** No commit begins after this time, in milliseconds. */
  readonly maxMs: number;
  /** Maximum number of commits, whatever the clock says. */
  readonly maxCommits: number;
  /** @default never */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does some of the work that is due, and gives free pages back. It ends at once where another
 * process writes, the disk is nearly full or the database refuses: the next command goes on.
 */
export async function pruneWhileIdle(options: PruneWhileIdleOptions): Promise<void> {
  const { database, pruner, clock, keepMs, maxMs, maxCommits, signal } = options;
  const untilMs = clock.now() + maxMs;
  let commits = 0;
  const isOver = (): boolean => {
    commits += 1;
    return commits > maxCommits || clock.now() >= untilMs || signal?.aborted === true;
  };
  const transact: Transact = (work) => database.transactionAtOnce(work);
  try {
    if (isFileDatabase(database) && readFreeBytes(database.path) < MIN_FREE_BYTES) return;
    while (!isOver() && (await pruner.advance(keepMs, transact)) !== undefined);
    if (!isFileDatabase(database)) return;
    while (!isOver() && (await releasePages(database, transact)));
  } catch (error) {
    // Nothing that the command was asked for depends on the pruning.
    if (!(error instanceof DatabaseError)) throw error;
  }
}
