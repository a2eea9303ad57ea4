import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { createTestConnection, storeRun, type TestConnection } from "../src/testing/index.ts";

const DAY_MS = 86_400_000;

/** A store with two runs that are over, one after the other. */
async function openStored(keepDays?: number): Promise<TestConnection> {
  const test = await createTestConnection({ keepDays });
  const done = { to: "done", cause: "answer" } as const;
  for (const id of ["r-1", "r-2"]) {
    const rows = [{ cells: ["KOD-1"], outcome: done }];
    await storeRun(test.connection, { id, header: ["Kod"], rows, settings: { noVerify: true } });
    await test.connection.runs.update(id, { state: "finished" });
  }
  return test;
}

const isPruned = async ({ connection }: TestConnection, id: string): Promise<boolean> =>
  (await connection.runs.read(id))?.prunedAtMs !== undefined;

describe("the storage of a store", () => {
  it("keeps runs for 90 days where nothing else is set", async () => {
    const test = await openStored();
    const { storage } = test.connection;
    await test.clock.advance(90 * DAY_MS - 1);
    await storage.pruneWhileIdle();
    const before = await isPruned(test, "r-1");

    await test.clock.advance(2);
    await storage.pruneWhileIdle();

    expect([before, await isPruned(test, "r-1")]).toEqual([false, true]);
    // It has the newest event.
    expect(await isPruned(test, "r-2")).toBe(false);
  });

  it("keeps runs as long as is set", async () => {
    const test = await openStored(10);
    await test.clock.advance(11 * DAY_MS);

    await test.connection.storage.pruneWhileIdle();

    expect(test.connection.storage.keepMs).toBe(10 * DAY_MS);
    expect(await isPruned(test, "r-1")).toBe(true);
  });

  it("says what it would delete before it deletes it, and how far it is", async () => {
    const test = await openStored();
    const { storage } = test.connection;
    await test.clock.advance(40 * DAY_MS);
    const keepMs = 30 * DAY_MS;

    const preview = await storage.previewPrune(keepMs);
    const told: unknown[] = [];
    const pruned = await storage.prune({ keepMs, onProgress: (sofar) => told.push(sofar) });

    expect(preview).toEqual({ runs: 1, rows: 1, bytes: expect.any(Number) });
    expect(preview.bytes).toBeGreaterThan(0);
    expect(pruned).toEqual({ runs: 1, rows: 1 });
    expect(told.at(-1)).toEqual(pruned);
    expect(await storage.previewPrune(keepMs)).toMatchObject({ runs: 0, rows: 0, bytes: 0 });
  });

  it("deletes nothing after the command was interrupted", async () => {
    const test = await openStored();
    await test.clock.advance(400 * DAY_MS);

    const pruned = await test.connection.storage.prune({
      keepMs: DAY_MS,
      signal: AbortSignal.abort(),
    });

    expect(pruned).toEqual({ runs: 0, rows: 0 });
    expect(await isPruned(test, "r-1")).toBe(false);
  });

  it("counts every file of the home", async () => {
    const { connection, folder } = await createTestConnection();
    const before = await connection.storage.sizes();
    writeFileSync(join(folder, "home", "resim.bin"), Buffer.alloc(5_000));

    const { homeBytes, fileBytes } = await connection.storage.sizes();

    expect(homeBytes - before.homeBytes).toBe(5_000);
    expect(homeBytes).toBeGreaterThan(fileBytes);
    expect(await connection.storage.compact()).toEqual({ kind: "nothing" });
  });
});
