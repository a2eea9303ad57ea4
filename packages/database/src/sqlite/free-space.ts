/** Gives pages of the file that are free back to the disk. */

import { type RawBuilder, sql } from "kysely";

import type { Database, FileDatabase } from "../sql/database.ts";
import type { Steps } from "../sql/steps.ts";

/** Pages of the file. */
export interface PageCounts {
  readonly pageBytes: number;
  readonly pages: number;
  /** Pages that hold nothing. */
  readonly freePages: number;
}

export function readPages(database: FileDatabase): PageCounts {
  const read = (name: string): number =>
    Object.values(all(database, sql<object>`PRAGMA ${sql.raw(name)}`)[0] ?? {}).map(Number)[0] ?? 0;
  return {
    pageBytes: read("page_size"),
    pages: read("page_count"),
    freePages: read("freelist_count"),
  };
}

/** Pages that are given back in one commit: a few milliseconds for which other processes wait. */
const STEP_PAGES = 64;

/** Free pages that are kept, because the next run fills them again: 8 MiB, or a tenth. */
const MIN_KEPT_PAGES = 512;
const KEPT_SHARE = 0.1;

const keptPages = ({ pages }: PageCounts): number =>
  Math.max(MIN_KEPT_PAGES, Math.ceil(pages * KEPT_SHARE));

/** Whether there is more free space than is kept for the next runs. */
const hasSpare = (counts: PageCounts): boolean => counts.freePages > keptPages(counts);

/** Gives some free pages back, within the caller's transaction. */
const release = (database: FileDatabase): Steps<object[]> =>
  select(database, sql<object>`PRAGMA incremental_vacuum(${sql.raw(String(STEP_PAGES))})`);

/**
 * Gives some free pages back in one commit, which `transact` makes. Resolves with whether it did:
 * few free pages are kept.
 */
export async function releasePages(
  database: FileDatabase,
  transact: Database["transactionAtOnce"],
): Promise<boolean> {
  const before = readPages(database);
  if (!hasSpare(before)) return false;
  await transact(() => release(database));
  return readPages(database).freePages < before.freePages;
}

/**
 * Does the same again and again, until no more pages are given back. Its commits do not wait for the
 * disk; {@link emptyLog} does.
 */
function releaseAllPages(database: FileDatabase): void {
  all(database, sql<object>`PRAGMA synchronous=NORMAL`);
  try {
    let before = readPages(database);
    while (hasSpare(before)) {
      database.transactNow(() => release(database));
      const after = readPages(database);
      if (after.freePages >= before.freePages) return;
      before = after;
    }
  } finally {
    all(database, sql<object>`PRAGMA synchronous=FULL`);
  }
}

/**
 * - `nothing`: there is no more free space than the next runs need.
 * - `done`: the file is smaller.
 */
export type CompactOutcome =
  | { readonly kind: "nothing" }
  | { readonly kind: "done"; readonly freedBytes: number };

/** Gives all free space of the file back to the disk, on request of a person. */
export function compactFile(database: FileDatabase): CompactOutcome {
  const before = readPages(database);
  if (!hasSpare(before)) return { kind: "nothing" };
  releaseAllPages(database);
  emptyLog(database);
  const freedPages = before.pages - readPages(database).pages;
  return { kind: "done", freedBytes: freedPages * before.pageBytes };
}

/** Copies the log into the file and empties it, as far as no other process reads it. */
function emptyLog(database: FileDatabase): void {
  all(database, sql<object>`PRAGMA wal_checkpoint(TRUNCATE)`);
}

const all = (database: FileDatabase, query: RawBuilder<object>): readonly object[] =>
  database.executeNow(select(database, query));

function select(database: FileDatabase, query: RawBuilder<object>): Steps<object[]> {
  return database.all({ compile: () => query.compile(database.build) });
}
