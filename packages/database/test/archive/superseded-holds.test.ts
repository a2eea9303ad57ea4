import type { NewRun } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { DAY_MS, openPruning, type Pruning } from "../helpers/open-pruning.ts";
import {
  appendRow,
  appendRowIn,
  newRun,
  planToSend,
  toPayload,
  toProductId,
} from "../helpers/runs-and-rows.ts";
import { count, stageOf } from "../helpers/stored-runs.ts";

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
    await store.journal.recordOutcome(
      { ...key, from: "sending" },
      { to: "ambiguous", cause: "lost" },
    );
    await store.journal.recordOutcome(
      { ...key, from: "ambiguous" },
      { to: "held", cause: "lookup" },
    );
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
