import { describe, expect, it } from "vitest";

import { type Settlement } from "../../src/journal.ts";
import { type RowState } from "../../src/row-state.ts";
import { createMemoryJournal, type MemoryJournal } from "../../src/testing.ts";
import { id, price, RUN } from "../helpers/products.ts";
import { plan, readRow, readStates, toAdd, toUpdate } from "../helpers/rows.ts";

const at = (row: number, runId = RUN) => ({ runId, row });

/** Begins a row and lets its request end like this. */
async function send(
  journal: MemoryJournal,
  row: number,
  settlement: Omit<Settlement, "cause">,
): Promise<void> {
  journal.beginSending(at(row));
  await journal.settle({ ...at(row), from: "sending" }, { cause: "unsent", ...settlement });
}

/** Moves of row 2 that bring it from `sending` to a state. */
const PATHS: Readonly<Partial<Record<RowState, readonly RowState[]>>> = {
  sending: [],
  ambiguous: ["ambiguous"],
  held: ["ambiguous", "held"],
  done: ["done"],
  rejected: ["rejected"],
  ready: ["ready"],
  cancelled: ["ambiguous", "held", "cancelled"],
};

async function bringTo(journal: MemoryJournal, path: readonly RowState[]): Promise<void> {
  journal.beginSending(at(2));
  let from: RowState = "sending";
  for (const to of path) {
    await journal.settle({ ...at(2), from }, { to, cause: "unsent" });
    from = to;
  }
}

describe("beginSending", () => {
  it("moves a ready row to sending and counts the attempt", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [toAdd(2, "A1")]);

    expect(journal.beginSending(at(2))).toBe("begun");

    expect(await readRow(journal, 2)).toMatchObject({ state: "sending", attempts: 1 });
  });

  it("refuses a row that is not ready", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [toAdd(2, "A1")]);
    journal.beginSending(at(2));

    expect(() => journal.beginSending(at(2))).toThrow("row 2 of r-1 is not ready");
    expect(() => journal.beginSending(at(9))).toThrow("run r-1 has no row 9");
  });

  it("refuses a row without a body", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [{ ...toAdd(2, "A1"), payload: null }]);

    expect(() => journal.beginSending(at(2))).toThrow("nothing to send");
  });

  for (const [state, path] of Object.entries(PATHS)) {
    const isFree = ["rejected", "ready", "cancelled"].includes(state);
    it(`finds the code of an add that is ${state} ${isFree ? "free" : "taken"}`, async () => {
      const journal = createMemoryJournal();
      await plan(journal, [toAdd(2, "A1")]);
      await plan(journal, [toAdd(2, " a1")], "r-2");
      await bringTo(journal, path);

      expect(journal.beginSending(at(2, "r-2"))).toBe(isFree ? "begun" : "taken");
      expect(await readStates(journal, "r-2")).toEqual([isFree ? "2: sending" : "2: ready"]);
    });
  }

  it("lets one update of a product be on its way at a time", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [
      toUpdate(2, "p1", { title: "Mug" }),
      toUpdate(3, "p1", { stock_count: 1 }),
      toUpdate(4, "p2", { stock_count: 1 }),
    ]);
    journal.beginSending(at(2));

    expect(journal.beginSending(at(3))).toBe("taken");
    expect(journal.beginSending(at(4))).toBe("begun");

    await journal.settle({ ...at(2), from: "sending" }, { to: "done", cause: "answer" });
    expect(journal.beginSending(at(3))).toBe("begun");
  });
});

describe("settle", () => {
  it("keeps what the settlement tells, and the rest as it was", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [toAdd(2, "A1")]);
    journal.beginSending(at(2));

    await journal.settle(
      { ...at(2), from: "sending" },
      { to: "done", cause: "answer", productId: id("p1"), note: "slow" },
    );

    expect(await readRow(journal, 2)).toMatchObject({
      state: "done",
      productId: "p1",
      note: "slow",
      action: "add",
      code: "A1",
    });
  });

  it("refuses a row that is in another state", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [toAdd(2, "A1")]);

    const settling = journal.settle({ ...at(2), from: "sending" }, { to: "done", cause: "answer" });

    await expect(settling).rejects.toThrow("row 2 of r-1 is not sending");
  });

  it("refuses an illegal move", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [toAdd(2, "A1")]);

    const settling = journal.settle({ ...at(2), from: "ready" }, { to: "done", cause: "answer" });

    await expect(settling).rejects.toThrow("illegal move of row 2: ready to done");
    expect(await readStates(journal)).toEqual(["2: ready"]);
  });

  it("gives a row that was held before its request no code to hold", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [toAdd(2, "A1")]);
    await plan(journal, [toAdd(2, "A1")], "r-2");
    await send(journal, 2, { to: "ready" });
    await journal.settle({ ...at(2), from: "ready" }, { to: "held", cause: "code-taken" });

    expect(journal.beginSending(at(2, "r-2"))).toBe("begun");
  });
});

describe("recover", () => {
  it("calls every row ambiguous that was being sent, in all runs, and no other", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [toAdd(2, "A1"), toAdd(3, "A2"), toAdd(4, "A3")]);
    await plan(journal, [toUpdate(2, "p1", { title: "Mug" })], "r-2");
    await send(journal, 2, { to: "done", productId: id("p9") });
    journal.beginSending(at(3));
    journal.beginSending(at(2, "r-2"));

    expect(await journal.restart().recover()).toBe(2);
    const next = journal.restart();

    expect(await readStates(next)).toEqual(["2: done", "3: ambiguous", "4: ready"]);
    expect(await readStates(next, "r-2")).toEqual(["2: ambiguous"]);
    expect(next.events.at(-1)).toMatchObject({ cause: "recovery" });
    expect(await next.recover()).toBe(0);
  });
});

describe("readAmbiguous", () => {
  it("tells the open rows of all runs, oldest first", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [toAdd(2, "A1"), toAdd(3, "A2")]);
    await send(journal, 3, { to: "ambiguous" });
    await send(journal, 2, { to: "ambiguous" });

    const open = await journal.readAmbiguous(9);

    expect(open.map(({ row }) => row)).toEqual([3, 2]);
    expect(open[0]?.record).toMatchObject({ code: "A2", state: "ambiguous" });
    expect(await journal.readAmbiguous(1)).toHaveLength(1);
  });
});

describe("what the ledger knows", () => {
  it("tells which add holds a code", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [toAdd(2, "A1"), toAdd(3, "A2"), toAdd(4, "A3")]);
    await send(journal, 2, { to: "done", productId: id("p1") });
    await send(journal, 3, { to: "rejected" });

    expect(await journal.readKnownCodes(["a1", "a2", "a3"])).toEqual([
      { codeKey: "a1", state: "done", runId: RUN, row: 2, productId: "p1", isRefused: false },
    ]);
    expect(await journal.readKnownCodes(["a2"])).toEqual([]);
  });

  it("lays updates over what was added, in the order in which they ended", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [
      toAdd(2, "A1"),
      toUpdate(3, "p1", { title: "Mug" }),
      toUpdate(4, "p1", { title: "Bowl", price: price(5) }),
      toUpdate(5, "p1", { title: "Never sent" }),
    ]);
    await send(journal, 2, { to: "done", productId: id("p1") });
    await send(journal, 4, { to: "done" });
    await send(journal, 3, { to: "done" });
    await send(journal, 5, { to: "rejected" });

    const sent = await journal.readLastSent([id("p1"), id("p2")]);

    expect([...sent.keys()]).toEqual(["p1"]);
    expect(sent.get(id("p1"))).toMatchObject({ title: "Mug", price: 5, sub_title: "A cup" });
  });

  it("tells the add that was answered last", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [toAdd(2, "A1"), toAdd(3, "A2"), toUpdate(4, "p1", { title: "Mug" })]);
    expect(await journal.readLatestAdded()).toBeUndefined();

    await send(journal, 3, { to: "done", productId: id("p2") });
    await send(journal, 2, { to: "done", productId: id("p1") });
    await send(journal, 4, { to: "done" });

    expect(await journal.readLatestAdded()).toEqual({ code: "A1", productId: "p1" });
  });
});
