/**
 * The file as a whole: whether it is sound, how many bytes belong to what, and giving free pages back to
 * the disk.
 */

import { type RawBuilder, sql } from "kysely";

import type { Database, FileDatabase, Steps } from "../sql/database.ts";

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

/** Pages of the file. */
interface PageCounts {
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

/** Kinds of data in the file. */
export const SIZE_KINDS = [
  "runs",
  "rows",
  "cells",
  "events",
  "archive",
  "ledger",
  "listing",
  "names",
  "exports",
  "drafts",
  "other",
] as const;

/** A kind of data in the file; one of {@link SIZE_KINDS}. */
export type SizeKind = (typeof SIZE_KINDS)[number];

/** Sizes of a database, in bytes. */
export interface DatabaseSizes {
  readonly fileBytes: number;
  /** Pages of the file that hold nothing. */
  readonly freeBytes: number;
  readonly kinds: Readonly<Record<SizeKind, number>>;
  /** Number of rows of runs in their tables. */
  readonly tableRows: number;
  /** Number of rows in the archive. */
  readonly archivedRows: number;
}

/** Tables by kind; an index counts as its table. */
export const TABLES: ReadonlyMap<string, SizeKind> = new Map([
  ["run", "runs"],
  ["run_archive", "runs"],
  ["run_call_minute", "runs"],
  ["run_period", "runs"],
  ["run_row", "rows"],
  ["final_piece", "rows"],
  ["before_value", "rows"],
  ["verification", "rows"],
  ["row_piece", "cells"],
  ["event", "events"],
  ["archive_piece", "archive"],
  ["op", "ledger"],
  ["raw_call", "ledger"],
  ["seen_product", "listing"],
  ["feed_product", "listing"],
  ["feed_note", "listing"],
  ["feed_named", "listing"],
  ["store_product", "listing"],
  ["store_product_json", "listing"],
  ["store_change", "listing"],
  ["store_reading", "listing"],
  ["name_list", "names"],
  ["picture_memo", "names"],
  ["export_job", "exports"],
  ["export_item", "exports"],
  ["export_seen", "exports"],
  ["export_mark", "exports"],
  ["draft", "drafts"],
  ["draft_row", "drafts"],
  ["draft_issue", "drafts"],
  ["draft_name", "drafts"],
  ["draft_edit", "drafts"],
  ["draft_basis", "drafts"],
]);

interface TableSize {
  readonly table_name: string;
  readonly bytes: number;
}

const READ_SIZES: RawBuilder<TableSize> = sql<TableSize>`
  SELECT coalesce(sqlite_schema.tbl_name, dbstat.name) AS table_name, sum(dbstat.pgsize) AS bytes
  FROM dbstat LEFT JOIN sqlite_schema ON sqlite_schema.name = dbstat.name
  WHERE dbstat.aggregate = TRUE GROUP BY 1`;

/** Reads every page of the file once. */
export function readFileSizes(database: FileDatabase): DatabaseSizes {
  const kinds = { ...NO_BYTES };
  const query = { compile: () => READ_SIZES.compile(database.build) };
  for (const { table_name, bytes } of database.executeNow(database.all(query))) {
    kinds[TABLES.get(table_name) ?? "other"] += bytes;
  }
  const { pageBytes, pages, freePages } = readPages(database);
  return {
    fileBytes: pages * pageBytes,
    freeBytes: freePages * pageBytes,
    kinds,
    ...countRows(database),
  };
}

type RowCounts = Pick<DatabaseSizes, "tableRows" | "archivedRows">;

const COUNT_ROWS: RawBuilder<RowCounts> = sql<RowCounts>`
  SELECT (SELECT count(*) FROM run_row) + (
    SELECT coalesce(sum(json_array_length(rows_json)), 0) FROM final_piece
  ) AS tableRows, (
    SELECT coalesce(sum(json_extract(counted.value, '$.rows')), 0)
    FROM run_archive, json_each(states_json) AS counted WHERE stage = 'archived'
  ) AS archivedRows`;

export const NO_BYTES: Record<SizeKind, number> = {
  runs: 0,
  rows: 0,
  cells: 0,
  events: 0,
  archive: 0,
  ledger: 0,
  listing: 0,
  names: 0,
  exports: 0,
  drafts: 0,
  other: 0,
};

const countRows = (database: FileDatabase): RowCounts =>
  database.executeNow(database.get({ compile: () => COUNT_ROWS.compile(database.build) })) ?? {
    tableRows: 0,
    archivedRows: 0,
  };
