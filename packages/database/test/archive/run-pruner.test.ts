import { renameSync, writeFileSync } from "node:fs";

import type { RowDecision } from "@catalog/runs";
import { begin, moveRow } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { createRunPruner, pruneWhileIdle } from "../../src/archive/run-pruner.ts";
import { DatabaseError, type DatabaseErrorCode } from "../../src/errors.ts";
import { noSteps } from "../../src/sql/database.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { DAY_MS, KEEP_MS, openPruning, type Pruning } from "../helpers/open-pruning.ts";
import { openRaw } from "../helpers/raw.ts";
import { appendRowIn, STORE } from "../helpers/runs-and-rows.ts";
import { count, readAll, stageOf, storeMixedRun } from "../helpers/stored-runs.ts";

describe("a run that has been over for a day", () => {
  it("is archived then, and is read as before", async () => {
    const store = await openPruning();
    await storeMixedRun(store, "run-1");
    await store.goOn();
    const before = await readAll(store, "run-1");

    await store.pass(0.9);
    expect(stageOf(store, "run-1")).toBeUndefined();
    await store.pass(0.1);

    expect(stageOf(store, "run-1")).toBe("archived");
    expect(count(store, "event", "run-1")).toBe(0);
    expect(await readAll(store, "run-1")).toEqual(before);
  });

  it("is read as before while only some of its rows are archived", async () => {
    const store = await openPruning();
    await store.create("run-1");
    await store.journal.appendRows(
      "run-1",
      Array.from({ length: 1_298 }, (_, at) => at + 2).map((row) => {
        return { row, cells: [row], code: `C-${row}`, codeKey: `C-${row}` };
      }),
    );
    const rows = await store.journal.readRows("run-1", { limit: 2_000 });
    const decisions = rows.map(({ row }): RowDecision => ({
      row,
      state: row % 3 === 0 ? "skipped" : "unchanged",
      action: null,
      productId: null,
      payload: null,
      changes: [],
      issues: [],
    }));
    await store.journal.saveDecisions("run-1", decisions);
    await store.finish("run-1");
    await store.goOn();
    const before = await readAll(store, "run-1");
    await store.clock.advance(DAY_MS);

    const seenStages: (string | undefined)[] = [];
    while ((await store.pruner.advance(KEEP_MS)) !== undefined) {
      seenStages.push(stageOf(store, "run-1"));
      expect(await readAll(store, "run-1")).toEqual(before);
      const skipped = { states: ["skipped"] as const, after: 400, limit: 300 };
      const found = await store.journal.readRows("run-1", skipped);
      expect(found.map(({ row }) => row).slice(0, 2)).toEqual([402, 405]);
      expect(found).toHaveLength(300);
    }

    expect(new Set(seenStages)).toEqual(new Set(["archiving", "archived"]));
  }, 60_000);

  it("is archived in one store only", async () => {
    const store = await openPruning();
    await storeMixedRun(store, "run-1");
    await store.goOn();
    const other = await openPruning({
      path: store.path,
      clock: store.clock,
      storeId: "store-2",
    });

    await other.pass(200);

    expect(stageOf(store, "run-1")).toBeUndefined();
    expect(await other.journal.readRows("run-1", { limit: 9 })).toEqual([]);
  });
});

describe("a run that was kept long enough", () => {
  it("keeps its line and its counts, and loses the rest", async () => {
    const store = await openPruning();
    await storeMixedRun(store, "run-1");
    await store.goOn();
    const [counts, verified, run] = [
      await store.journal.countRows("run-1"),
      await store.log.countVerifications("run-1"),
      await store.runs.read("run-1"),
    ];
    await store.pass(1);

    await store.pass(90);

    expect(stageOf(store, "run-1")).toBe("pruned");
    expect(await store.journal.countRows("run-1")).toEqual(counts);
    expect(await store.log.countVerifications("run-1")).toEqual(verified);
    expect(await store.runs.read("run-1")).toEqual({ ...run, prunedAtMs: store.clock.now() });
    expect(await store.journal.readEvents({ runId: "run-1", row: 20 })).toEqual([]);
    const tables = ["event", "row_piece", "archive_piece", "verification", "run_call_minute"];
    expect(tables.map((table) => count(store, table, "run-1"))).toEqual([0, 0, 0, 0, 0]);
  });

  it("keeps the requests that were the last ones of their product, with the values before", async () => {
    const store = await openPruning();
    await storeMixedRun(store, "run-1");
    await store.goOn();

    await store.pass(91);

    const rows = await store.journal.readRows("run-1", { states: ["done"], limit: 9 });
    expect(rows).toMatchObject([
      { row: 20, action: "add", code: "CUP", payload: { title: "Fincan" }, cells: [] },
      { row: 21, action: "update", productId: "p-old", payload: { stock_count: 3 } },
    ]);
    const before = await store.log.readBefore("run-1", [20, 21]);
    expect([...before]).toMatchObject([[21, { stock: 7 }]]);
  });

  it("keeps the actions that a subject takes once", async () => {
    const store = await openPruning();
    const plan = async (runId: string): Promise<void> => {
      await store.create(runId);
      for (const [row, action] of [
        [2, "accept"],
        [3, "postpone"],
      ] as const) {
        const [code, codeKey] = [`p${row}`, `package p${row}`];
        await store.journal.appendRows(runId, [{ row, cells: [code], code, codeKey }]);
        const planned = { row, state: "ready", action, productId: null, payload: null } as const;
        const asked = { call: { package_id: code }, changes: [], issues: [] };
        await store.journal.saveDecisions(runId, [{ ...planned, ...asked }]);
      }
    };
    await plan("run-1");
    for (const row of [2, 3]) {
      const key = { runId: "run-1", row };
      expect(await begin(store.journal, key)).toBe("begun");
      await moveRow(store.journal, key, { from: "sending", to: "done" });
    }
    await store.finish("run-1");
    await store.goOn();

    await store.pass(200);
    await plan("run-2");

    expect(stageOf(store, "run-1")).toBe("pruned");
    expect(await store.journal.readActions(["package p2", "package p3"])).toMatchObject([
      { action: "accept", state: "done", runId: "run-1" },
    ]);
    expect(await begin(store.journal, { runId: "run-2", row: 2 })).toBe("taken");
    expect(await begin(store.journal, { runId: "run-2", row: 3 })).toBe("begun");
  });

  it("is not kept for some of the rows of a report that is being written", async () => {
    const store = await openPruning();
    await storeMixedRun(store, "run-1");
    await store.goOn();
    await store.pass(1);
    await store.journal.readRows("run-1", { limit: 3 });

    await store.pass(90);

    await expect(store.journal.readRows("run-1", { after: 4, limit: 3 })).rejects.toMatchObject({
      code: "E_RUN_PRUNED",
    });
  });

  it("is listed with its rows before it is deleted", async () => {
    const store = await openPruning();
    await storeMixedRun(store, "run-1");
    await store.goOn();
    await store.pass(1);
    await store.create("run-2");
    await store.send({ runId: "run-2", row: 1, code: "TWO" });
    await store.finish("run-2");
    await store.goOn();
    await store.clock.advance(91 * DAY_MS);

    const due = await store.pruner.listDue(KEEP_MS);

    expect(due).toMatchObject([
      { runId: "run-1", rows: 8, archivedBytes: expect.any(Number) },
      { runId: "r-later-1", rows: 1 },
      { runId: "run-2", rows: 1, archivedBytes: null },
    ]);
  });
});

it("the database refuses to delete what is not archived, adds, and the newest event", async () => {
  const store = await openPruning();
  await store.create("run-1");
  await store.send({ runId: "run-1", row: 1, code: "CUP" });
  await appendRowIn(store.journal, { runId: "run-1", row: 2 }, "held");
  await store.finish("run-1");
  const raw = openRaw(store.path);
  const refusalOf = (statement: string): string => {
    try {
      raw.run(statement);
      return "ok";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  const statements = [
    "DELETE FROM event WHERE row_no = 1",
    "DELETE FROM run_row WHERE row_no = 2",
    "DELETE FROM op WHERE row_no = 1",
  ];
  const before = statements.map(refusalOf);

  raw.run("INSERT INTO run_archive VALUES ('run-1', 1, 'archiving', 0, '[]', '{}', 0, NULL)");

  expect(before).toEqual([
    "events are kept until their run is archived",
    "a row is kept until its run is archived",
    "a request is kept until its run is archived",
  ]);
  expect([...statements.slice(1), "DELETE FROM event"].map(refusalOf)).toEqual([
    "a row is kept until its run is archived",
    "an add that takes its code is kept",
    "the newest event is kept",
  ]);
});

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

  it.each([
    ["its time is over", { maxMs: 0 }],
    ["the command was interrupted", { signal: AbortSignal.abort() }],
  ])("ends when %s", async (_, limits) => {
    const store = await openDue();

    await pruneWhileIdle({ ...store, ...LIMITS, ...limits });

    expect(stagesOf(store)).toEqual([undefined, undefined, undefined]);
  });

  it("waits for no other process, and does not fail because of one", async () => {
    const store = await openDue();
    const { path, clock } = store;
    // A transaction that waits would take longer than the test.
    using database = await openDatabase(path, { busyTimeoutMs: 600_000 });
    const pruner = createRunPruner({ database, clock, store: STORE });
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

  it.each([
    "E_DATABASE",
    "E_DATABASE_BUSY",
    "E_DATABASE_DAMAGED",
    "E_DATABASE_REPLACED",
    "E_DISK_FULL",
    "E_RUN_PRUNED",
  ] satisfies DatabaseErrorCode[])("does not fail because of %s", async (code) => {
    const store = await openDue();
    const advance = () => Promise.reject(new DatabaseError(code, store.path));
    const pruner = { ...store.pruner, advance };

    await expect(pruneWhileIdle({ ...store, ...LIMITS, pruner })).resolves.toBeUndefined();
  });

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

it("two processes that prune at a time do each run once", async () => {
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
