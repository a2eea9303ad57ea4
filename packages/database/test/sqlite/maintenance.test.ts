import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";
import { describe, expect, it } from "vitest";

import { estimateFreedBytes } from "../../src/archive/run-pruner.ts";
import { DatabaseError } from "../../src/errors.ts";
import type { FileDatabase } from "../../src/sql/database.ts";
import { readPages, releasePages, SIZE_KINDS } from "../../src/sqlite/maintenance.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { KEEP_MS, openPruning } from "../helpers/open-pruning.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

/** Returns what is wrong with a file, whether it is returned or thrown. */
async function complaintsOf(path: string): Promise<readonly string[]> {
  try {
    using database = await openDatabase(path);
    return await database.check();
  } catch (error) {
    if (error instanceof DatabaseError) return [error.message];
    throw error;
  }
}

describe("the check of a file", () => {
  it("returns nothing for a sound file", async () => {
    const { database } = await openTestJournal();

    expect(await database.check()).toEqual([]);
  });

  it("detects a damaged page", async () => {
    const { database, path } = await openTestJournal();
    database.close();
    const bytes = readFileSync(path);
    // The first page holds the header and stays; everything behind it is overwritten.
    writeFileSync(path, bytes.fill(0xff, 4096));

    expect(await complaintsOf(path)).not.toEqual([]);
  });
});

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
    expect(await database.check()).toEqual([]);
  });

  it("shrinks the file on request", async () => {
    using database = await openNew();
    const beforeBytes = statSync(database.path).size;

    const outcome = await database.compact();

    expect(outcome).toMatchObject({ kind: "done", freedBytes: expect.any(Number) });
    expect(beforeBytes - statSync(database.path).size).toBeGreaterThan(8 * MIB);
    expect(await database.compact()).toEqual({ kind: "nothing" });
    expect(readSynchronous(database)).toEqual({ synchronous: 2 });
  });
});

describe("the sizes of a database", () => {
  it("add up to the file", async () => {
    const { database } = await openPruning();

    const { fileBytes, freeBytes, kinds } = await database.readSizes();

    const sum = SIZE_KINDS.reduce((all, kind) => all + kinds[kind], freeBytes);
    // Maps of pages belong to no table.
    expect(fileBytes - sum).toBeGreaterThanOrEqual(0);
    expect(fileBytes - sum).toBeLessThanOrEqual(2 * 16_384);
  });

  it("count rows in tables and in the archive", async () => {
    const store = await openPruning();
    await store.create("run-1");
    for (const row of [1, 2, 3]) await store.send({ runId: "run-1", row, code: `C-${row}` });
    await store.finish("run-1");
    await store.goOn();
    const before = await store.database.readSizes();

    await store.pass(1);

    expect(before).toMatchObject({ tableRows: 4, archivedRows: 0 });
    // The rows of adds stay in their table, too.
    expect(await store.database.readSizes()).toMatchObject({ tableRows: 4, archivedRows: 3 });
  });

  it("tell roughly what pruning would free, whether rows are archived or not", async () => {
    const store = await openPruning();
    for (const runId of ["run-1", "run-2"]) {
      await store.create(runId);
      await store.send({ runId, row: 1, code: runId });
      await store.finish(runId);
    }
    await store.goOn();
    await store.clock.advance(KEEP_MS + 1);
    const due = await store.pruner.listDue(KEEP_MS);
    await store.pruner.advance(10 * KEEP_MS);
    await store.pruner.advance(10 * KEEP_MS);
    const archived = await store.pruner.listDue(KEEP_MS);

    const sizes = await store.database.readSizes();

    const bytes = [due, archived].map((runs) => estimateFreedBytes(runs, sizes));

    expect(bytes[0]).toBeGreaterThan(0);
    expect(bytes[1]).toBeGreaterThan(0);
    expect(estimateFreedBytes([], sizes)).toBe(0);
  });
});
