import type { RunState } from "@catalog/runs";
import { describe, expect, it, onTestFinished } from "vitest";

import { noteProcess } from "../../src/locks/processes.ts";
import { KEEP_MS, openPruning, type Pruning } from "../helpers/open-pruning.ts";
import { openRaw } from "../helpers/raw.ts";
import { appendRow, appendRowIn, planToSend } from "../helpers/runs-and-rows.ts";
import { count, stageOf } from "../helpers/stored-runs.ts";

/** A run in this state with decided rows and one that was only read, and a newer run. */
async function openUnsent(state: RunState): Promise<Pruning> {
  const store = await openPruning();
  await store.create("run-1");
  await appendRowIn(store.journal, { runId: "run-1", row: 2 }, "held");
  await appendRowIn(store.journal, { runId: "run-1", row: 3 }, "ready");
  await appendRow(store.journal, { runId: "run-1", row: 4 });
  await store.runs.update("run-1", { state });
  await store.goOn();
  return store;
}

const countStored = (store: Pruning): readonly number[] =>
  ["run_row", "event", "row_piece", "archive_piece"].map((table) => count(store, table, "run-1"));

describe("a plan that was refused or cut off", () => {
  it("loses its rows after a day, and keeps its line and its counts", async () => {
    const store = await openUnsent("planning");
    await store.pass(0.9);
    const early = stageOf(store, "run-1");
    const counts = await store.journal.countRows("run-1");

    await store.pass(1.1);

    expect([early, stageOf(store, "run-1")]).toEqual([undefined, "pruned"]);
    expect(countStored(store)).toEqual([0, 0, 0, 0]);
    expect(await store.journal.countRows("run-1")).toEqual(counts);
    expect(await store.runs.read("run-1")).toMatchObject({ prunedAtMs: store.clock.now() });
  });

  it("is listed as due whatever the time that rows are kept", async () => {
    const store = await openUnsent("planning");
    await store.clock.advance(2 * 86_400_000);

    const due = await store.pruner.listDue(90 * 86_400_000);

    expect(due).toMatchObject([{ runId: "run-1", rows: 3 }]);
  });

  it("is kept while another process may be planning it", async () => {
    const store = await openUnsent("planning");
    const planner = { command: "catalog plan", pid: process.ppid, sinceMs: 0 };
    const note = noteProcess(store.path, planner);
    onTestFinished(() => note[Symbol.dispose]());

    await store.pass(2);
    const whilePlanned = stageOf(store, "run-1");
    note[Symbol.dispose]();
    await store.pass(8);

    expect([whilePlanned, stageOf(store, "run-1")]).toEqual([undefined, "pruned"]);
  });

  it("takes no more rows and no request from a process that wakes up", async () => {
    const store = await openUnsent("planning");
    await store.pass(2);
    const row = { row: 5, cells: [], code: null, codeKey: null };

    await expect(store.journal.appendRows("run-1", [row])).rejects.toMatchObject({
      code: "E_RUN_PRUNED",
    });
    const raw = openRaw(store.path);
    const columns = raw
      .rows("SELECT name FROM pragma_table_info('op')")
      .map(({ name }) => (name === "run_id" ? "'run-1'" : String(name)));
    expect(() => raw.run(`INSERT INTO op SELECT ${columns.join(", ")} FROM op LIMIT 1`)).toThrow(
      "nothing is sent for a run that is archived",
    );
  });
});

it("is deleted to its end although a process that wakes up ends the run meanwhile", async () => {
  const store = await openUnsent("running");
  await store.clock.advance(100 * 86_400_000);
  while (stageOf(store, "run-1") === undefined) await store.pruner.advance(KEEP_MS);

  const finishing = store.runs.update("run-1", { state: "finished" });

  await expect(finishing).rejects.toThrow("a run whose rows are deleted does not finish");
  await store.runs.update("run-1", { state: "stopped" });
  await store.pass(0);
  expect(stageOf(store, "run-1")).toBe("pruned");
  expect(countStored(store)).toEqual([0, 0, 0, 0]);
});

describe("a plan that was never applied", () => {
  for (const state of ["planned", "running", "stopped"] satisfies RunState[]) {
    it(`is kept as long as other rows while it is ${state}, and then deleted`, async () => {
      const store = await openUnsent(state);
      await store.pass(89);
      const early = [stageOf(store, "run-1"), ...countStored(store)];

      await store.pass(8);

      expect(early.slice(0, 2)).toEqual([undefined, 2]);
      expect(stageOf(store, "run-1")).toBe("pruned");
      expect(countStored(store)).toEqual([0, 0, 0, 0]);
    });
  }

  it("leaves only its line where a feed was refused", async () => {
    const store = await openPruning();
    await store.create("run-1");
    await store.runs.update("run-1", { state: "stopped" });
    await store.goOn();

    await store.pass(2);

    expect(stageOf(store, "run-1")).toBe("pruned");
  });
});

describe("a run that was not finished and has begun a request", () => {
  for (const state of ["planning", "planned", "running", "stopped"] satisfies RunState[]) {
    it(`is kept while it is ${state}`, async () => {
      const store = await openUnsent(state);
      const key = await planToSend(store.journal, { runId: "run-1", row: 9 });
      store.journal.beginSending(key);
      await store.goOn();

      await store.pass(400);

      expect(stageOf(store, "run-1")).toBeUndefined();
      expect(count(store, "run_row", "run-1")).toBe(3);
    });
  }
});
