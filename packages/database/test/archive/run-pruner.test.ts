import type { RowDecision } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { DAY_MS, KEEP_MS, openPruning, type Pruning } from "../helpers/open-pruning.ts";
import { openRaw } from "../helpers/raw.ts";
import { appendRowIn } from "../helpers/runs-and-rows.ts";
import { count, readAll, stageOf, storeMixedRun } from "../helpers/stored-runs.ts";

describe("a run that has been over for a day", () => {
  it("is archived, and is read as before", async () => {
    const store = await openPruning();
    await storeMixedRun(store, "run-1");
    await store.goOn();
    const before = await readAll(store, "run-1");

    await store.pass(1);

    expect(stageOf(store, "run-1")).toBe("archived");
    expect(count(store, "event", "run-1")).toBe(0);
    expect(await readAll(store, "run-1")).toEqual(before);
  });

  it("is not archived before", async () => {
    const store = await openPruning();
    await storeMixedRun(store, "run-1");
    await store.goOn();

    await store.pass(0.9);

    expect(stageOf(store, "run-1")).toBeUndefined();
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

  it("is deleted at once where it was never archived", async () => {
    const store = await openPruning();
    await storeMixedRun(store, "run-1");
    await store.goOn();
    const counts = await store.journal.countRows("run-1");

    await store.pass(91);

    expect(stageOf(store, "run-1")).toBe("pruned");
    expect(await store.journal.countRows("run-1")).toEqual(counts);
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
    await storeMixedRun2(store);
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

async function storeMixedRun2(store: Pruning): Promise<void> {
  await store.create("run-2");
  await store.send({ runId: "run-2", row: 1, code: "TWO" });
  await store.finish("run-2");
}

describe("the database", () => {
  it("refuses to delete what is not archived, adds, and the newest event", async () => {
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
});
