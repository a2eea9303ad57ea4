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
import { noteProcess } from "../../src/locks/process-note.ts";
import { readPages, releasePages } from "../../src/sqlite/free-space.ts";
import { openRaw } from "../helpers/raw.ts";
import { startScript } from "../helpers/start-script.ts";
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

/** A database with free space, whose file is as earlier versions made it. */
async function openOld(): Promise<FileDatabase> {
  const path = join(temporaryFolder(), "catalog.db");
  (await openDatabase(path)).close();
  const raw = openRaw(path);
  raw.run("PRAGMA auto_vacuum=NONE");
  raw.run("VACUUM");
  raw.close();
  const database = await openDatabase(path);
  makeSpace(database);
  return database;
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

    expect(before.isIncremental).toBe(true);
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

describe("the free space of a file of an earlier version", () => {
  it("stays while commands end", async () => {
    using database = await openOld();

    expect(await releaseSome(database)).toBe(false);
  });

  it("is given back when the file is written anew, and later some pages at a time", async () => {
    using database = await openOld();
    const beforeBytes = statSync(database.path).size;
    let rewrites = 0;

    const outcome = await compactDatabase(database, { onRewrite: () => (rewrites += 1) });

    expect(outcome).toMatchObject({ kind: "done" });
    expect(rewrites).toBe(1);
    expect(beforeBytes - statSync(database.path).size).toBeGreaterThan(8 * MIB);
    expect(readPages(database).isIncremental).toBe(true);
    expect(openRaw(database.path).rows("SELECT key FROM name_list")).toEqual([{ key: "key 1" }]);
  });

  it("stays while another process has the file open, and names that process", async () => {
    using database = await openOld();
    using _lock = noteProcess(database.path, {
      command: "catalog sync",
      pid: process.ppid,
      sinceMs: 0,
    });

    expect(await compactDatabase(database)).toMatchObject({
      kind: "in-use",
      by: { en: expect.stringContaining(`catalog sync, process ${process.ppid}`) },
    });
  });

  it("stays while the disk has no room for a second file", async () => {
    using database = await openOld();

    const outcome = await compactDatabase(database, { freeBytes: () => 60 * MIB });

    expect(outcome).toMatchObject({ kind: "disk-full", neededBytes: expect.any(Number) });
  });

  it("is lost to nothing when the process dies meanwhile", { timeout: 120_000 }, async () => {
    const old = await openOld();
    const { path } = old;
    old.close();
    for (let lines = 1; lines <= 4; lines += 1) {
      const script = startScript("rewrite-file", path);
      for (let line = 0; line < lines; line += 1) await script.nextLine();
      await script.kill();

      using database = await openDatabase(path);

      expect(await checkDatabase(database)).toEqual([]);
      expect(openRaw(path).rows("SELECT key FROM name_list")).toEqual([{ key: "key 1" }]);
    }
  });
});
