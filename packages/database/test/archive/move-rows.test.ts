import { describe, expect, it } from "vitest";

import { openPruning } from "../helpers/open-pruning.ts";
import { planToSend, toProductId } from "../helpers/runs-and-rows.ts";
import { count } from "../helpers/stored-runs.ts";

describe("what was sent before a run was pruned", () => {
  it("keeps a product from being added again", async () => {
    const store = await openPruning();
    await store.create("run-1");
    await store.send({ runId: "run-1", row: 1, code: "CUP" });
    await store.finish("run-1");
    await store.goOn();
    await store.pass(91);
    await store.create("run-2");
    const again = await planToSend(store.journal, { runId: "run-2", row: 1, code: "CUP" });

    expect(store.journal.beginSending(again)).toBe("taken");
    expect(await store.journal.readKnownCodes(["CUP"])).toMatchObject([
      { codeKey: "CUP", state: "done", runId: "run-1", row: 1, productId: "p-run-1-1" },
    ]);
  });

  it("stays what was sent last, field by field", async () => {
    const store = await openPruning();
    const sent = [{ price: 100, stock_count: 1 }, { stock_count: 2 }, { title: "Cup" }];
    for (const [index, fields] of sent.entries()) {
      const runId = `run-${index}`;
      await store.create(runId);
      await store.send({ runId, row: 1, productId: "p-1", fields });
      await store.finish(runId);
    }
    await store.goOn();
    const before = await store.journal.readLastSent([toProductId("p-1")]);

    await store.pass(91);

    expect(before.get(toProductId("p-1"))).toMatchObject({
      price: 100,
      stock_count: 2,
      title: "Cup",
    });
    expect(await store.journal.readLastSent([toProductId("p-1")])).toEqual(before);
  });

  it("is deleted once every field of it was sent again", async () => {
    const store = await openPruning();
    for (const number of [1, 2, 3]) {
      const runId = `run-${number}`;
      await store.create(runId);
      const fields = { stock_count: number };
      await store.send({ runId, row: 1, productId: "p-1", fields });
      await store.finish(runId);
      await store.goOn();
      await store.pass(1);
    }

    expect(["run-1", "run-2", "run-3"].map((id) => count(store, "op", id))).toEqual([0, 0, 1]);
    expect(["run-1", "run-2", "run-3"].map((id) => count(store, "run_row", id))).toEqual([0, 0, 1]);
  });

  it("reaches a feed that reads it only afterwards", async () => {
    const store = await openPruning();
    await store.feeds.saveShown(await store.feeds.beginRefresh(), [
      {
        productId: toProductId("p-1"),
        codeKey: "C",
        status: "approved",
        shown: { id: toProductId("p-1") },
        sent: {},
      },
    ]);
    await store.create("run-1");
    const fields = { stock_count: 9 };
    await store.send({ runId: "run-1", row: 1, productId: "p-1", fields });
    await store.send({ runId: "run-1", row: 2, code: "NEW", fields: { stock_count: 4 } });
    await store.finish("run-1");
    await store.goOn();
    await store.pass(91);

    expect(await store.feeds.applySentChanges()).toBe(3);

    expect(await store.feeds.readById([toProductId("p-1")])).toMatchObject([{ sent: fields }]);
    expect(await store.feeds.readByCode(["NEW"])).toMatchObject([{ sent: { stock_count: 4 } }]);
    expect(await store.feeds.applySentChanges()).toBe(0);
  });

  it("is not taken for the sending of a lost copy", async () => {
    const store = await openPruning();
    await store.create("run-1");
    const fields = { stock_count: 1 };
    await store.send({ runId: "run-1", row: 1, productId: "p-1", fields });
    await store.finish("run-1");
    await store.create("run-2");
    await store.send({ runId: "run-2", row: 1, productId: "p-1", fields });
    await store.finish("run-2");
    await store.goOn();
    await store.pass(91);

    await store.journal.recover();

    expect(count(store, "op", "run-1")).toBe(0);
    expect(await store.journal.mustRecheck("run-2")).toBe(false);
  });
});
