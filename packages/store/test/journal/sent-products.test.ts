import { CODE_TAKING_STATES, ROW_STATES } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { openStore, type TestStore } from "../helpers/open-store.ts";
import {
  appendRowIn,
  planToSend,
  type RowToSend,
  seen,
  toProductId,
} from "../helpers/runs-and-rows.ts";

interface SentProduct extends Omit<RowToSend, "runId"> {
  /** What the answer says; an update's is the product that it was sent to. */
  readonly answeredId: string;
}

/** Plans, sends and settles a row. */
async function send({ journal }: TestStore, { answeredId, ...row }: SentProduct): Promise<void> {
  const key = await planToSend(journal, { runId: "run-1", ...row });
  journal.beginSending(key);
  await journal.settle(
    { ...key, from: "sending" },
    { to: "done", cause: "answer", productId: toProductId(answeredId) },
  );
}

const P1 = toProductId("p-1");

const OPEN = { isRefused: false } as const;

describe("readKnownCodes", () => {
  it("knows the codes of adds in the states that take them, and of no others", async () => {
    const { journal } = await openStore();
    for (const [index, state] of ROW_STATES.entries()) {
      await appendRowIn(journal, { runId: "run-1", row: index + 1, code: state }, state);
    }
    // Held after a request that may have been carried out, unlike the row that a guard holds.
    const held = { runId: "run-1", row: 50 };
    await appendRowIn(journal, { ...held, code: "unknown" }, "ambiguous");
    await journal.settle({ ...held, from: "ambiguous" }, { to: "held", cause: "not-found" });

    const known = await journal.readKnownCodes([...ROW_STATES, "unknown", "never seen"]);

    expect(known).toHaveLength(CODE_TAKING_STATES.length);
    expect(known).toEqual(
      expect.arrayContaining([
        { codeKey: "sending", state: "sending", runId: "run-1", row: 8, productId: null, ...OPEN },
        {
          codeKey: "ambiguous",
          state: "ambiguous",
          runId: "run-1",
          row: 9,
          productId: null,
          ...OPEN,
        },
        { codeKey: "done", state: "done", runId: "run-1", row: 10, productId: null, ...OPEN },
        { codeKey: "unknown", state: "held", runId: "run-1", row: 50, productId: null, ...OPEN },
      ]),
    );
  });

  it("keeps the code of an add that was refused without a proof, until it is given back", async () => {
    const { journal } = await openStore();
    const key = { runId: "run-1", row: 1 };
    await appendRowIn(journal, { ...key, code: "A" }, "ambiguous");
    const refused = { to: "rejected", cause: "refused-and-absent", keepsCode: true } as const;

    await journal.settle({ ...key, from: "ambiguous" }, refused);

    expect(await journal.readKnownCodes(["A"])).toMatchObject([{ ...key, isRefused: true }]);
    expect(await journal.readHeldAdds(10)).toEqual([]);

    await journal.freeCode(key);

    expect(await journal.readKnownCodes(["A"])).toEqual([]);
  });

  it("gives back no code of a row that is held", async () => {
    const { journal } = await openStore();
    const key = { runId: "run-1", row: 1 };
    await appendRowIn(journal, { ...key, code: "A" }, "ambiguous");
    await journal.settle({ ...key, from: "ambiguous" }, { to: "held", cause: "not-found" });

    await journal.freeCode(key);

    expect(await journal.readKnownCodes(["A"])).toMatchObject([
      { state: "held", isRefused: false },
    ]);
  });

  it("names the product once it is known", async () => {
    const store = await openStore();
    await send(store, { row: 1, code: "A", answeredId: "p-1" });

    const known = await store.journal.readKnownCodes(["A"]);

    expect(known.map(({ productId }) => productId)).toEqual([P1]);
  });

  it("does not take an update for a code", async () => {
    const store = await openStore();
    await send(store, { row: 1, code: "A", productId: "p-1", answeredId: "p-1" });

    expect(await store.journal.readKnownCodes(["A"])).toEqual([]);
  });

  it("can be asked for by the thousand", async () => {
    const store = await openStore();
    for (const row of [1, 2, 3]) await send(store, { row, answeredId: `p-${row}` });
    const codes = Array.from({ length: 2_000 }, (_, row) => `C-${row}`);

    const known = await store.journal.readKnownCodes(codes);

    expect(new Set(known.map(({ row }) => row))).toEqual(new Set([1, 2, 3]));
    expect(known).toHaveLength(3);
  });
});

describe("readLastSent", () => {
  it("lays answered updates over the add, in the order in which they were answered", async () => {
    const store = await openStore();
    const { journal } = store;
    await send(store, {
      row: 1,
      answeredId: "p-1",
      fields: { title: "Fincan", price: 100, stock_count: 1 },
    });
    const first = await planToSend(journal, {
      runId: "run-1",
      row: 2,
      productId: "p-1",
      fields: { price: 200, stock_count: 2 },
    });
    const second = await planToSend(journal, {
      runId: "run-1",
      row: 3,
      productId: "p-1",
      fields: { price: 300 },
    });
    const done = { to: "done", cause: "answer" } as const;

    // The row that stands lower in the sheet is sent first, and the clock never moves.
    for (const key of [second, first]) {
      journal.beginSending(key);
      await journal.settle({ ...key, from: "sending" }, done);
    }

    const sent = await journal.readLastSent([P1]);
    expect([...sent.keys()]).toEqual([P1]);
    expect(sent.get(P1)).toMatchObject({ title: "Fincan", price: 200, stock_count: 2 });
  });

  it("goes by what happened first when the clock is put back", async () => {
    const store = await openStore();
    await store.clock.advance(3_600_000);
    await send(store, { row: 1, answeredId: "p-1", fields: { price: 100 } });
    const early = await openStore({ path: store.path, runs: [] });
    expect(early.clock.now()).toBeLessThan(store.clock.now());

    await send(early, { row: 2, productId: "p-1", answeredId: "p-1", fields: { price: 200 } });

    expect((await store.journal.readLastSent([P1])).get(P1)).toMatchObject({ price: 200 });
  });

  it("leaves out what was refused, or may not have arrived", async () => {
    const store = await openStore();
    const { journal } = store;
    await send(store, { row: 1, answeredId: "p-1", fields: { price: 100 } });
    const update = { runId: "run-1", productId: "p-1", fields: { price: 200 } };
    await appendRowIn(journal, { ...update, row: 2 }, "rejected");
    await appendRowIn(journal, { ...update, row: 3 }, "ambiguous");

    expect((await journal.readLastSent([P1])).get(P1)).toMatchObject({ price: 100 });
  });

  it("answers for many products at once, and for none", async () => {
    const store = await openStore();
    for (const row of [1, 2]) {
      await send(store, { row, answeredId: `p-${row}`, fields: { price: row } });
    }
    const ids = Array.from({ length: 1_500 }, (_, index) => toProductId(`p-${index}`));

    const sent = await store.journal.readLastSent(ids);

    const prices = new Map([...sent].map(([id, { price }]) => [String(id), Number(price)]));
    expect(prices).toEqual(
      new Map([
        ["p-1", 1],
        ["p-2", 2],
      ]),
    );
    expect(await store.journal.readLastSent([])).toEqual(new Map());
  });
});

describe("readLatestAdded", () => {
  it("is the add that was answered last", async () => {
    const store = await openStore();
    const { journal } = store;
    expect(await journal.readLatestAdded()).toBeUndefined();

    await send(store, { row: 2, code: "A", answeredId: "p-1" });
    await send(store, { row: 1, code: "B", answeredId: "p-2" });
    await send(store, { row: 3, productId: "p-1", answeredId: "p-1" });
    await appendRowIn(journal, { runId: "run-1", row: 4 }, "ambiguous");

    expect(await journal.readLatestAdded()).toEqual({ code: "B", productId: "p-2" });
  });

  it("passes over an add whose product is not known", async () => {
    const store = await openStore();
    await send(store, { row: 1, code: "A", answeredId: "p-1" });
    await appendRowIn(store.journal, { runId: "run-1", row: 2 }, "done");

    expect(await store.journal.readLatestAdded()).toEqual({ code: "A", productId: "p-1" });
  });
});

describe("readPriceEvidence", () => {
  it("sets the price sent last beside the one that is shown, newest first", async () => {
    const store = await openStore();
    const { journal } = store;
    await send(store, { row: 1, answeredId: "p-1", fields: { price: 100 } });
    await send(store, { row: 2, answeredId: "p-2", fields: { price: 500 } });
    await send(store, { row: 3, productId: "p-1", answeredId: "p-1", fields: { price: 200 } });
    await send(store, { row: 4, productId: "p-1", answeredId: "p-1", fields: { title: "Fincan" } });
    await journal.saveSeen([seen("p-1", { price: 2 }), seen("p-2", { price: 5 })]);

    expect(await journal.readPriceEvidence(10)).toEqual([
      { sent: 200, seen: 2 },
      { sent: 500, seen: 5 },
    ]);
    expect(await journal.readPriceEvidence(1)).toEqual([{ sent: 200, seen: 2 }]);
  });

  it("needs a price that was sent and answered, and one that is shown", async () => {
    const store = await openStore();
    const { journal } = store;
    await send(store, { row: 1, answeredId: "not shown", fields: { price: 100 } });
    await send(store, { row: 2, answeredId: "shown without", fields: { price: 100 } });
    await send(store, { row: 3, answeredId: "sent without" });
    await appendRowIn(
      journal,
      { runId: "run-1", row: 4, productId: "unanswered", fields: { price: 100 } },
      "ambiguous",
    );
    await journal.saveSeen([
      seen("shown without"),
      seen("sent without", { price: 1 }),
      seen("unanswered", { price: 1 }),
    ]);

    expect(await journal.readPriceEvidence(10)).toEqual([]);
  });
});
