/** The database as a whole: whether it is sound, how large it is, and what can be given back. */

import { checkPostgres, readPostgresSizes } from "./postgres/administration.ts";
import { type Database, isFileDatabase } from "./sql/database.ts";
import {
  checkFile,
  compactFile,
  type CompactOutcome,
  type DatabaseSizes,
  readFileSizes,
} from "./sqlite/maintenance.ts";

/**
 * Returns what is wrong with the database, in its own words; empty when it is sound. Reads the whole
 * file; of PostgreSQL its rules and settings. Rejects with `DatabaseError` where it cannot be read.
 */
export async function checkDatabase(database: Database): Promise<readonly string[]> {
  return isFileDatabase(database) ? checkFile(database) : await checkPostgres(database);
}

/** Reads how many bytes belong to what. */
export async function readSizes(database: Database): Promise<DatabaseSizes> {
  return isFileDatabase(database) ? readFileSizes(database) : await readPostgresSizes(database);
}

/** Gives free space back to the disk; PostgreSQL does so by itself (autovacuum). */
export async function compactDatabase(database: Database): Promise<CompactOutcome> {
  return isFileDatabase(database) ? compactFile(database) : { kind: "nothing" };
}
