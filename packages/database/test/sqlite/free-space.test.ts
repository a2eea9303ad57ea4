import { statSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";
import { describe, expect, it } from "vitest";

import {
  checkDatabase,
  compactDatabase,
  type FileDatabase,
  openDatabase,
} from "../../src/index.ts";
import { readPages, releasePages } from "../../src/sqlite/maintenance.ts";
import { openRaw } from "../helpers/raw.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const MIB = 1024 * 1024;

/** Fills some megabytes with notes, and deletes all but the first of them. */
function makeSpace({ path }: FileDatabase): void {
  const raw = openRaw(path);
  raw.run(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 24)
     INSERT INTO name_list SELECT 'key ' || n, n, hex(randomblob(${MIB / 2})) FROM number`,
  );
  raw.run("DELETE FROM name_list WHERE fetched_at_ms > 1");
  raw.run("PRAGMA wal_checkpoint(TRUNCATE)");
  raw.close();
}

function readSynchronous(database: FileDatabase): unknown {
  const pragma = sql<object>`PRAGMA synchronous`;
  return database.executeNow(database.get({ compile: () => pragma.compile(database.build) }));
}

async function openNew(): Promise<FileDatabase> {
  const database = await openDatabase(join(temporaryFolder(), "catalog.db"));
  makeSpace(database);
  return database;
}

const releaseSome = (database: FileDatabase): Promise<boolean> =>
  releasePages(database, (work) => database.transactionUnsynced(work));

describe("the free space of a file", () => {
  it("is given back some pages at a time, and some of it is kept for the next run", async () => {
    using database = await openNew();
    const before = readPages(database);

    const steps = [await releaseSome(database), await releaseSome(database)];
    while (await releaseSome(database));

    expect(steps).toEqual([true, true]);
    const after = readPages(database);
    expect(before.pages - after.pages).toBe(before.freePages - after.freePages);
    expect(after.freePages).toBeLessThanOrEqual(512);
    expect(await checkDatabase(database)).toEqual([]);
  });

  it("shrinks the file on request", async () => {
    using database = await openNew();
    const beforeBytes = statSync(database.path).size;

    const outcome = await compactDatabase(database);

    expect(outcome).toMatchObject({ kind: "done", freedBytes: expect.any(Number) });
    expect(beforeBytes - statSync(database.path).size).toBeGreaterThan(8 * MIB);
    expect(await compactDatabase(database)).toEqual({ kind: "nothing" });
    expect(readSynchronous(database)).toEqual({ synchronous: 2 });
  });
});
