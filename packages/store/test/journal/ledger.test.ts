import {
  CODE_TAKING_STATES,
  LEGAL_MOVES,
  type Journal,
  ROW_STATES,
  type RowKey,
  type RowState,
} from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { openStore } from "../helpers/open-store.ts";
import { openRaw } from "../helpers/raw.ts";
import {
  appendRow,
  appendRowIn,
  moveRow,
  planToSend,
  readState,
  toDecision,
  toProductId,
} from "../helpers/runs-and-rows.ts";

const isLegal = (from: RowState, to: RowState): boolean =>
  LEGAL_MOVES.some(([first, second]) => first === from && second === to);

const RIVALS = ["run-1", "run-2"];

/** Puts a row of `run-1` into the state and plans a row of `run-2` with the same code. */
async function planRival(journal: Journal, state: RowState): Promise<RowKey> {
  await appendRowIn(journal, { runId: "run-1", row: 1, code: "A" }, state);
  return await planToSend(journal, { runId: "run-2", row: 1, code: "A" });
}

describe("moves", () => {
  it("succeed where they are legal, and leave an event", async () => {
    const { journal, path } = await openStore();
    const raw = openRaw(path);
    for (const [index, [from, to]] of LEGAL_MOVES.entries()) {
      const row = { runId: "run-1", row: index + 1 };
      await appendRowIn(journal, row, from);

      await moveRow(journal, row, { from, to });

      const events = raw.rows("SELECT * FROM event WHERE row_no = ? ORDER BY seq", row.row);
      expect(await readState(journal, row)).toBe(to);
      expect(events.at(-1)).toMatchObject({ from_state: from, to_state: to, at_ms: 1_000 });
    }
  });

  it("throw where they are illegal, and leave nothing", async () => {
    const { journal, path } = await openStore();
    const raw = openRaw(path);
    const illegal = ROW_STATES.flatMap((from) =>
      ROW_STATES.filter((to) => !isLegal(from, to)).map((to) => ({ from, to })),
    );
    for (const [index, { from, to }] of illegal.entries()) {
      const key = await appendRowIn(journal, { runId: "run-1", row: index + 1 }, from);
      const events = raw.rows("SELECT * FROM event");

      const move = journal.settle({ ...key, from }, { to, cause: "answer" });

      await expect(move).rejects.toThrow(
        to === "sending"
          ? `row ${key.row} of run-1 can only begin to be sent`
          : `row ${key.row} of run-1 may not go from ${from} to ${to}`,
      );
      expect(await readState(journal, key)).toBe(from);
      expect(raw.rows("SELECT * FROM event")).toEqual(events);
    }
  });

  it("throw when the row is in another state than the caller believes", async () => {
    const { journal } = await openStore();
    const key = await appendRowIn(journal, { runId: "run-1", row: 1 }, "ambiguous");

    await expect(
      journal.settle({ ...key, from: "sending" }, { to: "done", cause: "answer" }),
    ).rejects.toThrow("row 1 of run-1 is not sending");

    expect(await readState(journal, key)).toBe("ambiguous");
  });

  it("never enter `sending` but by beginning", async () => {
    const { journal } = await openStore();
    const key = await planToSend(journal, { runId: "run-1", row: 1 });

    await expect(
      journal.settle({ ...key, from: "ready" }, { to: "sending", cause: "begin" }),
    ).rejects.toThrow("can only begin to be sent");

    expect(await readState(journal, key)).toBe("ready");
  });
});

describe("beginSending", () => {
  it("has written row, code and body when it returns", async () => {
    const { journal, path, clock } = await openStore();
    const key = await planToSend(journal, {
      runId: "run-1",
      row: 7,
      code: "A",
      fields: { price: 1990 },
    });
    const elsewhere = openRaw(path);
    await clock.advance(5);

    expect(journal.beginSending(key)).toBe("begun");

    expect(elsewhere.rows("SELECT state, attempts, updated_at_ms FROM run_row")).toEqual([
      { state: "sending", attempts: 1, updated_at_ms: 1_005 },
    ]);
    expect(elsewhere.rows("SELECT * FROM op")).toEqual([
      {
        run_id: "run-1",
        row_no: 7,
        store: 1,
        kind: "add",
        state: "sending",
        code_key: "A",
        suspect_key: null,
        product_id: null,
        price: 1990,
        payload_json: '{"product_code":"A","price":1990}',
        begun_at_ms: 1_005,
        settled_at_ms: null,
      },
    ]);
  });

  it.each(ROW_STATES)("minds an add of the code that another run left as %s", async (state) => {
    const { journal } = await openStore({ runs: RIVALS });
    // A row that a guard holds has sent nothing; see the next test for the other kind.
    const isTaking = CODE_TAKING_STATES.includes(state) && state !== "held";
    const rival = await planRival(journal, state);

    expect(journal.beginSending(rival)).toBe(isTaking ? "taken" : "begun");

    expect(await readState(journal, rival)).toBe(isTaking ? "ready" : "sending");
  });

  it("minds an add of the code that is held because nobody knows how it ended", async () => {
    const { journal, path } = await openStore({ runs: RIVALS });
    const rival = await planRival(journal, "ambiguous");
    const holder = { runId: "run-1", row: 1 };
    await journal.settle({ ...holder, from: "ambiguous" }, { to: "held", cause: "not-found" });
    const events = openRaw(path).rows("SELECT * FROM event");

    expect(journal.beginSending(rival)).toBe("taken");
    expect(openRaw(path).rows("SELECT * FROM event")).toEqual(events);

    await journal.settle({ ...holder, from: "held" }, { to: "cancelled", cause: "superseded" });
    expect(journal.beginSending(rival)).toBe("begun");
  });

  it("minds another row of the same run", async () => {
    const { journal } = await openStore();
    await appendRowIn(journal, { runId: "run-1", row: 1, code: "A" }, "done");
    const second = await planToSend(journal, { runId: "run-1", row: 2, code: "A" });

    expect(journal.beginSending(second)).toBe("taken");
  });

  it("lets one update of a product be on its way at a time", async () => {
    const { journal } = await openStore({ runs: RIVALS });
    const first = { runId: "run-1", row: 1, productId: "p-1" };
    await appendRowIn(journal, first, "ambiguous");
    const second = await planToSend(journal, { runId: "run-2", row: 1, productId: "p-1" });
    const other = await planToSend(journal, { runId: "run-2", row: 2, productId: "p-2" });

    expect(journal.beginSending(second)).toBe("taken");
    expect(journal.beginSending(other)).toBe("begun");

    await journal.settle(
      { runId: "run-1", row: 1, from: "ambiguous" },
      { to: "done", cause: "read-back" },
    );
    expect(journal.beginSending(second)).toBe("begun");
  });

  it("lets a row that never left be sent again, and counts", async () => {
    const { journal, path } = await openStore();
    const key = await planToSend(journal, { runId: "run-1", row: 1 });
    journal.beginSending(key);
    await journal.settle({ ...key, from: "sending" }, { to: "ready", cause: "unsent" });

    expect(journal.beginSending(key)).toBe("begun");

    const [record] = await journal.readRows("run-1", { limit: 1 });
    expect(record?.attempts).toBe(2);
    expect(openRaw(path).rows("SELECT state, settled_at_ms FROM op")).toEqual([
      { state: "sending", settled_at_ms: null },
    ]);
  });

  it("throws for a row that cannot be sent, and changes nothing", async () => {
    const { journal } = await openStore();
    await appendRow(journal, { runId: "run-1", row: 1 });
    const done = await appendRowIn(journal, { runId: "run-1", row: 2 }, "done");
    await journal.appendRows("run-1", [{ row: 3, cells: [], code: null, codeKey: null }]);
    await journal.decideRows("run-1", [toDecision({ row: 3 }, "ready")]);

    const begin = (row: number) => (): unknown => journal.beginSending({ runId: "run-1", row });
    expect(begin(1)).toThrow("row 1 has nothing to send");
    expect(begin(done.row)).toThrow("row 2 of run-1 is not ready");
    expect(begin(3)).toThrow("row 3 has no product code");
    expect(begin(4)).toThrow("this store has no row 4 of a run run-1");

    const counts = await journal.countRows("run-1");
    expect(counts.map(({ state }) => state).toSorted()).toEqual(["done", "parsed", "ready"]);
  });
});

describe("settle", () => {
  it("keeps what the answer said, with its evidence", async () => {
    const { journal, path, clock } = await openStore();
    const key = await appendRowIn(journal, { runId: "run-1", row: 1 }, "sending");
    const issue = {
      code: "E_REJECTED",
      sheet: "Ürünler",
      row: 1,
      column: "",
      cell: "",
      value: "C-1",
      message: { tr: "Reddedildi", en: "Rejected" },
    };
    await clock.advance(250);

    await journal.settle(
      { ...key, from: "sending" },
      {
        to: "rejected",
        cause: "answer-status-false",
        productId: toProductId("p-1"),
        note: "fiyat hatalı",
        issues: [issue],
        evidence: { phase: "answered", status: 422 },
      },
    );

    expect(await journal.readRows("run-1", { limit: 1 })).toMatchObject([
      {
        state: "rejected",
        productId: "p-1",
        note: "fiyat hatalı",
        issues: [issue],
        updatedAtMs: 1_250,
      },
    ]);
    const raw = openRaw(path);
    expect(raw.rows("SELECT state, product_id, settled_at_ms FROM op")).toEqual([
      { state: "rejected", product_id: "p-1", settled_at_ms: 1_250 },
    ]);
    expect(raw.rows("SELECT * FROM event").at(-1)).toMatchObject({
      cause: "answer-status-false",
      evidence_json: '{"phase":"answered","status":422}',
    });
  });

  it("leaves product, note and issues alone that it is not given", async () => {
    const { journal } = await openStore();
    const key = await appendRowIn(journal, { runId: "run-1", row: 1 }, "sending");
    await journal.settle(
      { ...key, from: "sending" },
      { to: "ambiguous", cause: "lost", productId: toProductId("p-1"), note: "zaman aşımı" },
    );

    await journal.settle({ ...key, from: "ambiguous" }, { to: "done", cause: "lookup" });

    expect(await journal.readRows("run-1", { limit: 1 })).toMatchObject([
      { state: "done", productId: "p-1", note: "zaman aşımı" },
    ]);
  });

  it("does not take a code back for a row that never left", async () => {
    const { journal } = await openStore({ runs: RIVALS });
    const late = await planToSend(journal, { runId: "run-1", row: 1, code: "A" });
    journal.beginSending(late);
    await journal.settle({ ...late, from: "sending" }, { to: "ready", cause: "unsent" });
    const first = await planToSend(journal, { runId: "run-2", row: 1, code: "A" });
    journal.beginSending(first);
    expect(journal.beginSending(late)).toBe("taken");

    await journal.settle({ ...late, from: "ready" }, { to: "held", cause: "code-taken" });
    await journal.settle({ ...late, from: "held" }, { to: "done", cause: "released-as-done" });

    expect(await readState(journal, late)).toBe("done");
    expect(await journal.readKnownCodes(["A"])).toMatchObject([{ runId: "run-2" }]);
  });
});

describe("recover", () => {
  it("makes every row ambiguous that was being sent, in all runs", async () => {
    const { journal, path } = await openStore({ runs: RIVALS });
    for (const [index, state] of ROW_STATES.entries()) {
      await appendRowIn(journal, { runId: "run-1", row: index + 1 }, state);
    }
    const other = await appendRowIn(journal, { runId: "run-2", row: 1, code: "B" }, "sending");

    expect(await journal.recover()).toBe(2);

    const records = await journal.readRows("run-1", { limit: 100 });
    expect(records.map(({ state }) => state)).toEqual(
      ROW_STATES.map((state) => (state === "sending" ? "ambiguous" : state)),
    );
    expect(await readState(journal, other)).toBe("ambiguous");
    const raw = openRaw(path);
    expect(raw.rows("SELECT count(*) AS events FROM event WHERE cause = 'recovery'")).toEqual([
      { events: 2 },
    ]);
    expect(raw.rows("SELECT state FROM op WHERE state = 'sending'")).toEqual([]);
  });

  it("finds nothing the second time", async () => {
    const { journal } = await openStore();
    await appendRowIn(journal, { runId: "run-1", row: 1 }, "sending");

    expect(await journal.recover()).toBe(1);
    expect(await journal.recover()).toBe(0);
  });
});

describe("readAmbiguous", () => {
  it("reads the oldest request first, over all runs", async () => {
    const { journal, clock } = await openStore({ runs: RIVALS });
    for (const key of [
      { runId: "run-2", row: 9 },
      { runId: "run-1", row: 5 },
      { runId: "run-1", row: 3 },
    ]) {
      await appendRowIn(journal, key, "sending");
      await clock.advance(10);
    }
    await journal.recover();
    await appendRowIn(journal, { runId: "run-1", row: 1 }, "sending");

    const ambiguous = await journal.readAmbiguous(10);

    expect(ambiguous.map(({ runId, row }) => `${runId} ${row}`)).toEqual([
      "run-2 9",
      "run-1 5",
      "run-1 3",
    ]);
    expect(ambiguous[0]?.record).toMatchObject({ row: 9, code: "C-9", state: "ambiguous" });
    expect(await journal.readAmbiguous(2)).toEqual(ambiguous.slice(0, 2));
  });

  it("takes the order of the sheet for requests of one moment", async () => {
    const { journal } = await openStore();
    for (const row of [10, 2, 100])
      await appendRowIn(journal, { runId: "run-1", row }, "ambiguous");

    const ambiguous = await journal.readAmbiguous(10);

    expect(ambiguous.map(({ row }) => row)).toEqual([2, 10, 100]);
  });
});
