import type { RowState, RunState } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { openPruning, type Pruning } from "../helpers/open-pruning.ts";
import { appendRow, appendRowIn, planToSend } from "../helpers/runs-and-rows.ts";
import { readAll, stageOf } from "../helpers/stored-runs.ts";

/** Finishes the run, lets a year pass, and compares what is stored. */
async function expectKept(store: Pruning): Promise<void> {
  await store.finish("run-1");
  await store.goOn();
  const before = await readAll(store, "run-1");

  await store.pass(30);
  await store.pass(400);

  expect(stageOf(store, "run-1")).toBeUndefined();
  expect(await readAll(store, "run-1")).toEqual(before);
}

describe("a run that is not over", () => {
  for (const state of ["ready", "held", "sending", "ambiguous"] satisfies RowState[]) {
    it(`is kept while a row is ${state}`, async () => {
      const store = await openPruning();
      await store.create("run-1");
      await store.send({ runId: "run-1", row: 1 });
      await appendRowIn(store.journal, { runId: "run-1", row: 2 }, state);

      await expectKept(store);
    });
  }

  for (const state of ["planned", "running", "stopped"] satisfies RunState[]) {
    it(`is kept while it is ${state}`, async () => {
      const store = await openPruning();
      await store.create("run-1");
      await store.send({ runId: "run-1", row: 1 });
      await store.runs.update("run-1", { state });
      await store.goOn();

      await store.pass(400);

      expect(stageOf(store, "run-1")).toBeUndefined();
    });
  }

  it("is kept while a row was read but not decided", async () => {
    const store = await openPruning();
    await store.create("run-1");
    await appendRow(store.journal, { runId: "run-1", row: 1 });

    await expectKept(store);
  });

  it("is kept while a refused add keeps its code", async () => {
    const store = await openPruning();
    await store.create("run-1");
    const key = await planToSend(store.journal, { runId: "run-1", row: 1, code: "CUP" });
    store.journal.beginSending(key);
    const refused = { to: "rejected", cause: "status-500", keepsCode: true } as const;
    await store.journal.recordOutcome({ ...key, from: "sending" }, refused);

    await expectKept(store);
  });

  it("is kept while a product that it sent is to be read back again", async () => {
    const store = await openPruning();
    await store.create("run-1");
    await store.send({ runId: "run-1", row: 1 });
    const missing = { row: 1, status: "not-visible", fields: [], looks: 11 } as const;
    await store.log.saveVerifications("run-1", [missing]);

    await expectKept(store);
  });

  it("is archived once its product was read back as often as rows are", async () => {
    const store = await openPruning();
    await store.create("run-1");
    await store.send({ runId: "run-1", row: 1 });
    const missing = { row: 1, status: "not-visible", fields: [], looks: 12 } as const;
    await store.log.saveVerifications("run-1", [missing]);
    await store.finish("run-1");
    await store.goOn();

    await store.pass(1);

    expect(stageOf(store, "run-1")).toBe("archived");
  });

  it("is kept while a product that it sent was never read back", async () => {
    const store = await openPruning();
    await store.create("run-1", { settings: {} });
    await store.send({ runId: "run-1", row: 1 });

    await expectKept(store);
  });

  it("is kept while it has the newest event, by which the next one is numbered", async () => {
    const store = await openPruning();
    await store.create("run-1");
    await store.send({ runId: "run-1", row: 1 });
    await store.finish("run-1");

    await store.pass(400);

    expect(stageOf(store, "run-1")).toBeUndefined();
  });
});
