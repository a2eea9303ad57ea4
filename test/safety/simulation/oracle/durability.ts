/**
 * Whether a power failure takes commits. That depends on how the real database is opened, so the
 * real database is tested.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openDatabase } from "@catalog/database/testing";
import { sql } from "kysely";

/** From `FULL` on, SQLite has a commit on the disk before it returns. */
const FULL = 2;

/** Whether a commit survives a power failure once the database has returned. */
export async function isStoreDurable(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "catalog-durability-"));
  try {
    using database = await openDatabase(join(folder, "catalog.db"));
    const query = sql<{ readonly synchronous: number }>`PRAGMA synchronous`;
    const reading = database.get({ compile: () => query.compile(database.build) });
    const level = database.executeNow(reading);
    return (level?.synchronous ?? 0) >= FULL;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
