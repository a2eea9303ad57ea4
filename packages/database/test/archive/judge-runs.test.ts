import type { NewRun, RowState, RunState } from "@catalog/runs";
import { describe, expect, it, onTestFinished } from "vitest";

import { noteProcess } from "../../src/locks/processes.ts";
import { createPeriodRepository } from "../../src/repositories/periods.ts";
import { DAY_MS, KEEP_MS, openPruning, type Pruning } from "../helpers/open-pruning.ts";
import { openRaw } from "../helpers/raw.ts";
import {
  appendRow,
  appendRowIn,
  newRun,
  planToSend,
  toPayload,
  toProductId,
  moveRow,
} from "../helpers/runs-and-rows.ts";
import { count, readAll, stageOf } from "../helpers/stored-runs.ts";

const STORE = { baseUrl: "https://marketplace.test", storeId: "store-1" };

/** What is done with row 2 of a run that has sent row 1. */
type Play = (store: Pruning) => Promise<unknown>;

const inState =
  (state: RowState): Play =>
  ({ journal }) =>
    appendRowIn(journal, { runId: "run-1", row: 2 }, state);

const readBack =
  (looks: number): Play =>
  ({ log }) =>
    log.saveVerifications("run-1", [{ row: 1, status: "not-visible", fields: [], looks }]);

describe("a run that is not over", () => {
  it.each<readonly [string, Play]>([
    ["a row is ready", inState("ready")],
    ["a row is held", inState("held")],
    ["a row is sending", inState("sending")],
    ["a row is ambiguous", inState("ambiguous")],
    ["a row was read but not decided", inState("parsed")],
    ["a product that it sent is to be read back again", readBack(11)],
    [
      "a product that it sent was never read back",
      ({ runs }) => runs.update("run-1", { settings: {} }),
    ],
    [
      "a refused add keeps its code",
      async ({ journal }) => {
        const key = await appendRowIn(journal, { runId: "run-1", row: 2 }, "sending");
        const refused = { to: "rejected", cause: "status-500", keepsCode: true } as const;
        await journal.recordOutcome({ ...key, from: "sending" }, refused);
      },
    ],
  ])("is kept while %s", async (_, play) => {
    const store = await openPruning();
    await store.create("run-1");
    await store.send({ runId: "run-1", row: 1 });
    await play(store);
    await store.finish("run-1");
    await store.goOn();
    const before = await readAll(store, "run-1");

    await store.pass(30);
    await store.pass(400);

    expect(stageOf(store, "run-1")).toBeUndefined();
    expect(await readAll(store, "run-1")).toEqual(before);
  });

  it("is archived once its product was read back as often as rows are", async () => {
    const store = await openPruning();
    await store.create("run-1");
    await store.send({ runId: "run-1", row: 1 });
    await readBack(12)(store);
    await store.finish("run-1");
    await store.goOn();

    await store.pass(1);

    expect(stageOf(store, "run-1")).toBe("archived");
  });

  it.each<readonly [string, Play]>([
    ...(["planned", "running", "stopped"] as const).map((state): [string, Play] => [
      `it is ${state}`,
      async (store) => {
        await store.runs.update("run-1", { state });
        await store.goOn();
      },
    ]),
    [
      "it has the newest event, by which the next one is numbered",
      (store) => store.finish("run-1"),
    ],
  ])("is kept while %s", async (_, play) => {
    const store = await openPruning();
    await store.create("run-1");
    await store.send({ runId: "run-1", row: 1 });
    await play(store);

    await store.pass(400);

    expect(stageOf(store, "run-1")).toBeUndefined();
  });
});

/** Gives the run a time at which it is taken back, or takes that away. */
async function setEnd({ database, clock }: Pruning, endAtMs: number | undefined): Promise<void> {
  const periods = createPeriodRepository({ database, clock, store: STORE });
  const stored = await periods.read("run-1");
  const period = { timeZone: "UTC", ...(endAtMs !== undefined && { endAtMs }), approvedAtMs: 1 };
  await periods.save("run-1", period, { version: stored?.version });
}

describe("a run with a time to come", () => {
  /** In the middle of the second year. */
  const END_MS = Date.UTC(2027, 5, 1);

  it.each<readonly [string, Play]>([
    ["it was sent", ({ finish }) => finish("run-1")],
    ["it is planned", ({ runs }) => runs.update("run-1", { state: "planned" })],
  ])("keeps its rows for it where %s, and not after it", async (name, play) => {
    const store = await openPruning();
    await store.create("run-1");
    const row = { runId: "run-1", row: 1 };
    if (name === "it was sent") await store.send(row);
    else await appendRowIn(store.journal, row, "ready");
    await play(store);
    await setEnd(store, END_MS);
    await store.goOn();

    await store.pass(400);
    expect(stageOf(store, "run-1")).toBeUndefined();

    await setEnd(store, undefined);
    await store.goOn();
    await store.pass(1);
    await store.pass(100);
    expect(stageOf(store, "run-1")).toBe("pruned");
  });

  it("keeps them where it was given the time when they were archived", async () => {
    const store = await openPruning();
    await store.create("run-1");
    await store.send({ runId: "run-1", row: 1 });
    await store.finish("run-1");
    await store.goOn();
    await store.pass(1);
    expect(stageOf(store, "run-1")).toBe("archived");
    await setEnd(store, END_MS);

    await store.pass(400);
    expect(stageOf(store, "run-1")).toBe("archived");

    await setEnd(store, undefined);
    await store.pass(1);
    expect(stageOf(store, "run-1")).toBe("pruned");
  });
});

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
  it.each(["planned", "running", "stopped"] satisfies RunState[])(
    "is kept as long as other rows while it is %s, and then deleted",
    async (state) => {
      const store = await openUnsent(state);
      await store.pass(89);
      const early = [stageOf(store, "run-1"), ...countStored(store)];

      await store.pass(8);

      expect(early.slice(0, 2)).toEqual([undefined, 2]);
      expect(stageOf(store, "run-1")).toBe("pruned");
      expect(countStored(store)).toEqual([0, 0, 0, 0]);
    },
  );

  it("leaves only its line where a feed was refused", async () => {
    const store = await openPruning();
    await store.create("run-1");
    await store.runs.update("run-1", { state: "stopped" });
    await store.goOn();

    await store.pass(2);

    expect(stageOf(store, "run-1")).toBe("pruned");
  });
});

it.each(["planning", "planned", "running", "stopped"] satisfies RunState[])(
  "a run that was not finished and has begun a request is kept while it is %s",
  async (state) => {
    const store = await openUnsent(state);
    const key = await planToSend(store.journal, { runId: "run-1", row: 9 });
    store.journal.beginSending(key);
    await store.goOn();

    await store.pass(400);

    expect(stageOf(store, "run-1")).toBeUndefined();
    expect(count(store, "run_row", "run-1")).toBe(3);
  },
);

const syncOf = (feed: string): Partial<NewRun> => ({
  command: "sync",
  file: { ...newRun("").file, ...(feed !== undefined && { feed }) },
});

/** Stores a sync of a feed that sends one row and holds another. */
async function sync(store: Pruning, runId: string, run = syncOf("feed-1")): Promise<void> {
  await store.create(runId, run);
  await store.send({ runId, row: 2, code: `C-${runId}` });
  await hold(store, runId, 3);
  await store.finish(runId);
  await store.clock.advance(60_000);
}

async function hold({ journal }: Pruning, runId: string, row: number): Promise<void> {
  await appendRow(journal, { runId, row });
  const productId = toProductId("p-1");
  const payload = toPayload({ product_id: productId, price: 100 });
  const changes = [{ field: "price", old: 1_000, new: 100 }];
  const decision = { row, state: "held", action: "update", productId, payload, changes } as const;
  await journal.saveDecisions(runId, [{ ...decision, issues: [] }]);
}

const stateOf = async ({ journal }: Pruning, runId: string): Promise<string | undefined> =>
  (await journal.readRows(runId, { after: 2, limit: 1 }))[0]?.state;

/** Lets a day pass, and another in which the run with the newest event is looked at again. */
async function passDays(store: Pruning): Promise<void> {
  await store.pass(1);
  await store.goOn();
  await store.pass(1.1);
}

describe("held rows of a sync that a newer one of its feed has replaced", () => {
  it("are cancelled after a day, and their runs are archived", async () => {
    const store = await openPruning();
    for (const id of ["s-1", "s-2", "s-3"]) await sync(store, id);

    await passDays(store);

    expect(["s-1", "s-2", "s-3"].map((id) => stageOf(store, id))).toEqual([
      "archived",
      "archived",
      undefined,
    ]);
    expect(await stateOf(store, "s-1")).toBe("cancelled");
    const events = await store.journal.readEvents({ runId: "s-1", row: 3 });
    expect(events.at(-1)).toMatchObject({ cause: "superseded-hold", evidence: { run: "s-3" } });
    expect(await stateOf(store, "s-3")).toBe("held");
    expect(await store.pruner.listWaiting(DAY_MS)).toEqual(["s-3"]);
  });

  it("are kept for a day, so that a person can decide on them", async () => {
    const store = await openPruning();
    await sync(store, "s-1");
    await sync(store, "s-2");
    await store.goOn();

    await store.pass(0.9);

    expect(await stateOf(store, "s-1")).toBe("held");
  });

  it("are deleted by one pass over a home in which they have piled up", async () => {
    const store = await openPruning();
    const ids = Array.from({ length: 6 }, (_, at) => `s-${at + 1}`);
    for (const id of ids) await sync(store, id);
    await store.clock.advance(200 * DAY_MS);
    const due = await store.pruner.listDue(DAY_MS);

    await store.pruner.lookAgain();
    await store.pass(0, DAY_MS);

    expect(due.map(({ runId }) => runId)).toEqual(ids.slice(0, 5));
    // The run with the newest event waits until there is a newer one.
    expect(ids.filter((id) => stageOf(store, id) === "pruned")).toEqual(ids.slice(0, 4));
    expect(count(store, "event", "s-1")).toBe(0);
  });
});

describe("held rows", () => {
  it("are kept where the newer sync is one of another feed, or was not finished", async () => {
    const store = await openPruning();
    await sync(store, "s-1");
    await sync(store, "s-2", syncOf("feed-2"));
    await sync(store, "s-3");
    await store.runs.update("s-3", { state: "stopped" });

    await passDays(store);

    expect(await stateOf(store, "s-1")).toBe("held");
    expect(await store.pruner.listWaiting(DAY_MS)).toEqual(["s-1", "s-2"]);
  });

  it("are kept where they are of an import", async () => {
    const store = await openPruning();
    await sync(store, "i-1", {});
    await sync(store, "s-2");

    await passDays(store);

    expect(await stateOf(store, "i-1")).toBe("held");
  });

  it("are kept where a request of them was sent, and where they add a product", async () => {
    const store = await openPruning();
    await store.create("s-1", syncOf("feed-1"));
    await appendRowIn(store.journal, { runId: "s-1", row: 2 }, "held");
    const key = await planToSend(store.journal, { runId: "s-1", row: 3, productId: "p-9" });
    store.journal.beginSending(key);
    await moveRow(store.journal, key, { from: "sending", to: "ambiguous" });
    await moveRow(store.journal, key, { from: "ambiguous", to: "held" });
    await store.finish("s-1");
    await store.clock.advance(60_000);
    await sync(store, "s-2");

    await passDays(store);

    const rows = await store.journal.readRows("s-1", { limit: 9 });
    expect(rows.map(({ state }) => state)).toEqual(["held", "held"]);
    expect(stageOf(store, "s-1")).toBeUndefined();
  });

  it("leave a run in its tables that has a released row", async () => {
    const store = await openPruning();
    await sync(store, "s-1");
    const key = { runId: "s-1", row: 3 };
    await store.journal.recordOutcome(
      { ...key, from: "held" },
      { to: "ready", cause: "released-approve" },
    );
    await sync(store, "s-2");

    await passDays(store);

    expect(await stateOf(store, "s-1")).toBe("ready");
    expect(stageOf(store, "s-1")).toBeUndefined();
  });
});
