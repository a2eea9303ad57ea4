/** How many bytes of the file belong to what. */

import { type RawBuilder, sql } from "kysely";

import type { FileDatabase } from "../sql/database.ts";
import { readPages } from "./free-space.ts";

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
  ["run_row", "rows"],
  ["final_piece", "rows"],
  ["before_value", "rows"],
  ["verification", "rows"],
  ["row_piece", "cells"],
  ["event", "events"],
  ["archive_piece", "archive"],
  ["op", "ledger"],
  ["seen_product", "listing"],
  ["feed_product", "listing"],
  ["feed_note", "listing"],
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
