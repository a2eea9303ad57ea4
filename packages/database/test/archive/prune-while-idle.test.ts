import { renameSync, writeFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { DatabaseError, type DatabaseErrorCode } from "../../src/errors.ts";
import { createRunPruner, openDatabase, pruneWhileIdle } from "../../src/index.ts";
import { noSteps } from "../../src/sql/database.ts";
import { DAY_MS, KEEP_MS, openPruning, type Pruning } from "../helpers/open-pruning.ts";
import { openRaw } from "../helpers/raw.ts";
import { stageOf, storeMixedRun } from "../helpers/stored-runs.ts";

/** A store with runs that may be archived. */
async function openDue(): Promise<Pruning> {
  const store = await openPruning();
  for (const number of [1, 2, 3]) {
    await store.create(`run-${number}`);
    await store.send({ runId: `run-${number}`, row: 1, code: `C-${number}` });
    await store.finish(`run-${number}`);
  }
  await store.goOn();
  await store.clock.advance(DAY_MS);
  return store;
}

const LIMITS = { keepMs: KEEP_MS, maxMs: 100, maxCommits: 100 };

const stagesOf = (store: Pruning): readonly unknown[] =>
  ["run-1", "run-2", "run-3"].map((runId) => stageOf(store, runId));

describe("pruning at the end of a command", () => {
  it("does what is due", async () => {
    const store = await openDue();

    await pruneWhileIdle({ ...store, ...LIMITS });

    expect(stagesOf(store)).toEqual(["archived", "archived", "archived"]);
  });

  it("ends after a number of commits, and goes on with the next command", async () => {
    const store = await openDue();

    await pruneWhileIdle({ ...store, ...LIMITS, maxCommits: 3 });
    const first = stagesOf(store);
    await pruneWhileIdle({ ...store, ...LIMITS });

    expect(first).toEqual(["archived", "archiving", undefined]);
    expect(stagesOf(store)).toEqual(["archived", "archived", "archived"]);
  });

  it("ends when its time is over", async () => {
    const store = await openDue();

    await pruneWhileIdle({ ...store, ...LIMITS, maxMs: 0 });

    expect(stagesOf(store)).toEqual([undefined, undefined, undefined]);
  });

  it("ends when the command was interrupted", async () => {
    const store = await openDue();

    await pruneWhileIdle({ ...store, ...LIMITS, signal: AbortSignal.abort() });

    expect(stagesOf(store)).toEqual([undefined, undefined, undefined]);
  });

  it("waits for no other process, and does not fail because of one", async () => {
    const store = await openDue();
    const { path, clock } = store;
    // A transaction that waits would take longer than the test.
    using database = await openDatabase(path, { busyTimeoutMs: 600_000 });
    const address = { baseUrl: "https://marketplace.test", storeId: "store-1" };
    const pruner = createRunPruner({ database, clock, store: address });
    const other = openRaw(path);
    other.run("BEGIN IMMEDIATE");

    await pruneWhileIdle({ database, pruner, clock, ...LIMITS });
    other.run("ROLLBACK");

    expect(stagesOf(store)).toEqual([undefined, undefined, undefined]);
    expect(await database.transaction(() => noSteps("written"))).toBe("written");
  });

  it("does not fail because the file was replaced or cannot be written", async () => {
    const store = await openDue();
    const { path } = store;
    renameSync(path, `${path}.moved`);

    await pruneWhileIdle({ ...store, ...LIMITS });
    writeFileSync(path, "");
    await pruneWhileIdle({ ...store, ...LIMITS });
    renameSync(`${path}.moved`, path);

    expect(stagesOf(store)).toEqual([undefined, undefined, undefined]);
  });

  for (const code of [
    "E_DATABASE",
    "E_DATABASE_BUSY",
    "E_DATABASE_DAMAGED",
    "E_DATABASE_REPLACED",
    "E_DISK_FULL",
    "E_RUN_PRUNED",
  ] satisfies DatabaseErrorCode[]) {
    it(`does not fail because of ${code}`, async () => {
      const store = await openDue();
      const advance = () => Promise.reject(new DatabaseError(code, store.path));
      const pruner = { ...store.pruner, advance };

      await expect(pruneWhileIdle({ ...store, ...LIMITS, pruner })).resolves.toBeUndefined();
    });
  }

  it("passes on an error that is a bug", async () => {
    const store = await openDue();
    const pruner = { ...store.pruner, advance: () => Promise.reject(new TypeError("a bug")) };

    await expect(pruneWhileIdle({ ...store, ...LIMITS, pruner })).rejects.toThrow("a bug");
  });

  it("passes on that the file is damaged", async () => {
    const store = await openDue();
    await pruneWhileIdle({ ...store, ...LIMITS });
    openRaw(store.path).run("UPDATE archive_piece SET piece = zeroblob(length(piece))");

    await expect(store.journal.readRows("run-1", { limit: 9 })).rejects.toMatchObject({
      code: "E_DATABASE_DAMAGED",
    });
  });
});

describe("two processes that prune at a time", () => {
  it("do each run once", async () => {
    const store = await openDue();
    await storeMixedRun(store, "run-4");
    await store.goOn();
    await store.clock.advance(DAY_MS);
    using database = await openDatabase(store.path);
    const second = await openPruning({ path: store.path, clock: store.clock });

    for (let step = 0; step < 40; step += 1) {
      await store.pruner.advance(KEEP_MS);
      await second.pruner.advance(KEEP_MS);
    }

    expect(stagesOf(store)).toEqual(["archived", "archived", "archived"]);
    expect(await store.journal.readRows("run-4", { limit: 9 })).toHaveLength(8);
    expect(database.isRestored).toBe(false);
  });
});
