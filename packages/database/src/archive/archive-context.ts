import type { Database } from "../sql/database.ts";
import type { Schema } from "../sql/schema.ts";

/** The database, and the number of the store whose runs are archived. */
export interface ArchiveContext {
  readonly database: Database;
  readonly store: number;
}

/** Rows of a run after one row, up to and with another. */
export interface RowRange {
  readonly runId: string;
  readonly after: number;
  readonly last: number;
}

/** An entry of the archive. */
export type ArchivedRun = Schema["run_archive"];
