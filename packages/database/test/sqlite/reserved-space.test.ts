import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";
import { describe, expect, it } from "vitest";

import type { FileDatabase } from "../../src/index.ts";
import { createReservedSpace } from "../../src/sqlite/file.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { planToSend } from "../helpers/runs-and-rows.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const MIB = 1024 * 1024;

describe("createReservedSpace", () => {
  it("reserves eight megabytes at the first call, and keeps them for later processes", () => {
    const databasePath = join(temporaryFolder(), "catalog.db");
    const path = `${databasePath}.ballast`;
    const reserved = createReservedSpace({ databasePath });
    expect(existsSync(path)).toBe(false);

    reserved.assertKept();

    const { size, blocks } = statSync(path);
    expect(size).toBe(8 * MIB);
    expect(blocks * 512).toBeGreaterThanOrEqual(8 * MIB);
    createReservedSpace({ databasePath, freeBytes: () => 64 * MIB }).assertKept();
  });

  it("refuses new requests on a disk that is nearly full", () => {
    const databasePath = join(temporaryFolder(), "catalog.db");
    const reserved = createReservedSpace({ databasePath, freeBytes: () => 64 * MIB - 1 });

    expect(() => reserved.assertKept()).toThrow(expect.objectContaining({ code: "E_DISK_FULL" }));
  });

  it("frees the space once, refuses new requests, and reserves it again once there is room", () => {
    const databasePath = join(temporaryFolder(), "catalog.db");
    const path = `${databasePath}.ballast`;
    let freeBytes = 64 * MIB;
    const reserved = createReservedSpace({ databasePath, freeBytes: () => freeBytes });
    reserved.assertKept();
    freeBytes = 0;

    expect([reserved.drop(), reserved.drop()]).toEqual([true, false]);

    expect(existsSync(path)).toBe(false);
    expect(() => reserved.assertKept()).toThrow(expect.objectContaining({ code: "E_DISK_FULL" }));
    freeBytes = 64 * MIB;
    reserved.assertKept();
    expect(existsSync(path)).toBe(true);
  });

  it("frees nothing before it reserved anything", () => {
    expect(createReservedSpace({ databasePath: join(temporaryFolder(), "a.db") }).drop()).toBe(
      false,
    );
  });
});

/** Limits the size of the file, as a full disk does; `undefined` removes the limit. */
function limitPages(database: FileDatabase, pages = 1_000_000): void {
  const pragma = sql`PRAGMA max_page_count = ${sql.raw(String(pages))}`;
  database.executeNow(database.all({ compile: () => pragma.compile(database.build) }));
}

describe("a database whose disk is full", () => {
  it("frees the reserved space, starts no request, and goes on once there is space", async () => {
    const { path, journal, database } = await openTestJournal();
    const [sent, next] = [
      await planToSend(journal, { runId: "run-1", row: 2 }),
      await planToSend(journal, { runId: "run-1", row: 3 }),
    ];
    journal.beginSending(sent);
    expect(existsSync(`${path}.ballast`)).toBe(true);
    const outcome = { to: "ambiguous", cause: "lost" } as const;
    const evidence = { excerpt: "x".repeat(100_000) };

    limitPages(database, 1);
    const settling = journal.recordOutcome({ ...sent, from: "sending" }, { ...outcome, evidence });
    await expect(settling).rejects.toMatchObject({ code: "E_DISK_FULL" });
    expect(existsSync(`${path}.ballast`)).toBe(false);
    expect(journal.beginSending(next, evidence)).toBe("away");
    limitPages(database);
    await journal.recordOutcome({ ...sent, from: "sending" }, { ...outcome, evidence });

    const states = (await journal.readRows("run-1", { limit: 9 })).map(({ state }) => state);
    expect(states).toEqual(["ambiguous", "ready"]);
    expect(journal.beginSending(next)).toBe("begun");
  });
});
