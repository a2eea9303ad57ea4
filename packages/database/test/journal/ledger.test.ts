import { copyFileSync, existsSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { systemClock } from "@catalog/clock";
import { type Journal, type RowKey, RowMovedError } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { createJournal } from "../../src/journal/journal.ts";
import { openTestJournal, type TestJournal } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";
import {
  appendRowIn,
  planToSend,
  readState,
  toProductId,
  STORE,
  moveRow,
} from "../helpers/runs-and-rows.ts";

const at = (row: number): RowKey => ({ runId: "run-1", row });

describe("claim", () => {
  it("commits all claims before it resolves, each with its evidence", async () => {
    const { journal, path } = await openTestJournal();
    for (const row of [2, 3]) await planToSend(journal, at(row));
    const elsewhere = openRaw(path);

    await journal.claim([at(2), { ...at(3), evidence: { serverMs: 7 } }]);

    expect(elsewhere.rows("SELECT row_no, state FROM op ORDER BY row_no")).toEqual([
      { row_no: 2, state: "sending" },
      { row_no: 3, state: "sending" },
    ]);
    expect(elsewhere.rows("SELECT evidence_json FROM event WHERE cause = 'begin'")).toEqual([
      { evidence_json: "{}" },
      { evidence_json: '{"serverMs":7}' },
    ]);
  });

  it("undoes the writes of a claim that the database refuses, and keeps the other claims", async () => {
    const { journal, path } = await openTestJournal();
    for (const row of [2, 3]) await planToSend(journal, at(row));
    using raw = new DatabaseSync(path);
    raw.exec(`CREATE TRIGGER refused BEFORE INSERT ON op WHEN NEW.row_no = 2
      BEGIN SELECT RAISE(ABORT, 'no'); END`);

    const claims = await journal.claim([at(2), at(3)]);

    expect(claims).toEqual([undefined, { ...at(3), attempt: 1 }]);
    expect(await readState(journal, at(2))).toBe("ready");
    expect(openRaw(path).rows("SELECT row_no FROM event WHERE cause = 'begin'")).toEqual([
      { row_no: 3 },
    ]);
  });
});

// Markers are only used where the boot of the machine can be identified.
describe.runIf(existsSync("/proc/sys/kernel/random/boot_id"))("a process that dies", () => {
  it("proves at the next start which claims never left", async () => {
    const { path, journal } = await openTestJournal();
    await journal.recover();
    for (const row of [2, 3]) await planToSend(journal, at(row));
    const [, second] = await journal.claim([at(2), at(3)]);
    if (second === undefined) throw new Error("it was not claimed");
    journal.beginSending(second);

    const { journal: next } = await openTestJournal({ path, runs: [] });
    const recovered = await next.recover();

    expect(recovered).toBe(2);
    expect([await readState(next, at(2)), await readState(next, at(3))]).toEqual([
      "ready",
      "ambiguous",
    ]);
  });
});

it("beginSending commits row, code and body before it returns", async () => {
  const { journal, path, clock } = await openTestJournal();
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
      ended_seq: null,
    },
  ]);
});

it("recordOutcome commits the outcome and its request before it resolves", async () => {
  const { journal, path, clock } = await openTestJournal();
  const key = await appendRowIn(journal, { runId: "run-1", row: 1 }, "sending");
  const elsewhere = openRaw(path);
  await clock.advance(250);

  const evidence = { phase: "answered", status: 422 };
  await journal.recordOutcome(
    { ...key, from: "sending" },
    { to: "rejected", cause: "status-422", productId: toProductId("p-1"), evidence },
  );

  expect(elsewhere.rows("SELECT state, product_id, settled_at_ms FROM op")).toEqual([
    { state: "rejected", product_id: "p-1", settled_at_ms: 1_250 },
  ]);
  expect(elsewhere.rows("SELECT * FROM event").at(-1)).toMatchObject({
    cause: "status-422",
    evidence_json: '{"phase":"answered","status":422}',
  });
});

const RUN = "run-1";
const DONE = { to: "done", cause: "answer" } as const;

interface Watched {
  readonly path: string;
  readonly journal: Journal;
  /** Number of transactions started so far. */
  readonly transactions: () => number;
  readonly close: () => void;
}

/** Opens a journal whose rows 2 to 4 are being sent. */
async function openSending(): Promise<Watched> {
  const { database, path } = await openTestJournal();
  let transactions = 0;
  const counting: typeof database = {
    ...database,
    transactionUnsynced(work) {
      transactions += 1;
      return database.transactionUnsynced(work);
    },
  };
  const journal = createJournal({ database: counting, clock: systemClock, store: STORE });
  for (const row of [2, 3, 4]) await planToSend(journal, { runId: RUN, row });
  await journal.claim([2, 3, 4].map((row) => ({ runId: RUN, row })));
  transactions = 0;
  return { path, journal, transactions: () => transactions, close: () => database.close() };
}

const settle = ({ journal }: Watched, row: number): Promise<void> =>
  journal.recordOutcome({ runId: RUN, row, attempt: 1, from: "sending" }, DONE);

describe("recording outcomes", () => {
  it("writes outcomes of the same turn of the event loop in one transaction", async () => {
    const watched = await openSending();

    await Promise.all([settle(watched, 2), settle(watched, 3)]);
    expect(watched.transactions()).toBe(1);
    await settle(watched, 4);

    expect(watched.transactions()).toBe(2);
    expect(openRaw(watched.path).rows("SELECT row_no, state FROM op ORDER BY row_no")).toEqual([
      { row_no: 2, state: "done" },
      { row_no: 3, state: "done" },
      { row_no: 4, state: "done" },
    ]);
  });

  it("resolves only once the outcomes are committed", async () => {
    const watched = await openSending();
    const elsewhere = openRaw(watched.path);
    const read = (): unknown =>
      elsewhere.rows("SELECT state FROM op WHERE row_no = 2")[0]?.["state"];

    const settled = settle(watched, 2);

    expect(read()).toBe("sending");
    await settled;
    expect(read()).toBe("done");
  });

  it("writes the other outcomes when one is refused", async () => {
    const watched = await openSending();
    await settle(watched, 3);

    const [first, second, third] = await Promise.allSettled(
      [2, 3, 4].map((row) => settle(watched, row)),
    );

    expect([first?.status, third?.status]).toEqual(["fulfilled", "fulfilled"]);
    expect(second).toMatchObject({
      status: "rejected",
      reason: new RowMovedError({ runId: "run-1", row: 3 }, "sending"),
    });
    const { journal } = watched;
    expect(await readState(journal, { runId: RUN, row: 2 })).toBe("done");
    expect(await journal.readEvents({ runId: RUN, row: 3 })).toHaveLength(3);
  });

  it("rejects every outcome of a failed commit, with the rows still sending", async () => {
    const watched = await openSending();

    const settled = Promise.allSettled([2, 3].map((row) => settle(watched, row)));
    watched.close();

    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(openRaw(watched.path).rows("SELECT 1 FROM op WHERE state = 'sending'")).toHaveLength(3);
  });

  it("keeps a product taken until the outcome of its update is written", async () => {
    const watched = await openSending();
    const { journal } = watched;
    const again = { runId: RUN, row: 9, code: "C-2" };
    await planToSend(journal, again);
    const rejected = { to: "rejected", cause: "answer" } as const;

    const settled = journal.recordOutcome({ runId: RUN, row: 2, from: "sending" }, rejected);

    expect(journal.beginSending(again)).toBe("taken");
    await settled;
    expect(journal.beginSending(again)).toBe("begun");
  });
});

const KEY = { runId: "run-1", row: 2 };

/** Leaves the row as a process does that is killed after the commit and before the marker. */
function dieBeforeMark({ path }: TestJournal): void {
  using raw = new DatabaseSync(path);
  raw.exec(`
    UPDATE run_row SET state = 'sending' WHERE run_id = 'run-1' AND row_no = 2;
    INSERT INTO op (run_id, row_no, store, kind, state, code_key, payload_json, begun_at_ms)
    SELECT 'run-1', 2, id, 'add', 'sending', 'C-2', '{}', 0 FROM store WHERE store_id = 'store-1';
  `);
}

const stateOf = async ({ journal }: TestJournal): Promise<string | undefined> =>
  (await journal.readRows("run-1", { limit: 1 }))[0]?.state;

describe.runIf(existsSync("/proc/sys/kernel/random/boot_id"))("recover", () => {
  it("makes a row ready again whose process died before the marker of its request", async () => {
    const store = await openTestJournal();
    await store.journal.recover();
    await planToSend(store.journal, KEY);
    dieBeforeMark(store);

    const recovered = await store.journal.recover();

    expect([recovered, await stateOf(store)]).toEqual([1, "ready"]);
    expect(store.journal.beginSending(KEY)).toBe("begun");
  });

  it("makes a row ambiguous whose request was marked, even by a marker that was cut off", async () => {
    const store = await openTestJournal();
    await store.journal.recover();
    await planToSend(store.journal, KEY);
    store.journal.beginSending(KEY);

    await store.journal.recover();

    expect(await stateOf(store)).toBe("ambiguous");
  });

  it("makes a row ambiguous when the markers are gone", async () => {
    const store = await openTestJournal();
    await store.journal.recover();
    await planToSend(store.journal, KEY);
    dieBeforeMark(store);
    rmSync(`${store.path}.1.marks`);

    await store.journal.recover();

    expect(await stateOf(store)).toBe("ambiguous");
  });

  it("does not apply the markers of recovered rows to later requests", async () => {
    const store = await openTestJournal();
    await store.journal.recover();
    await planToSend(store.journal, KEY);
    store.journal.beginSending(KEY);
    await store.journal.recover();
    await moveRow(store.journal, KEY, { from: "ambiguous", to: "ready" });
    store.journal.beginSending(KEY);

    await store.journal.recover();

    expect(await stateOf(store)).toBe("ambiguous");
  });

  it("proves nothing in an older copy, whose runs must be checked before they are sent", async () => {
    const { path, journal, database } = await openTestJournal();
    await journal.recover();
    await planToSend(journal, KEY);
    database.close();
    copyFileSync(path, `${path}.backup`);
    const killed = await openTestJournal({ path, runs: [] });
    killed.journal.beginSending(KEY);
    // The process dies, and its count of openings is not written.
    killed.database.close();
    copyFileSync(`${path}.backup`, path);
    rmSync(`${path}.generation`);

    const { journal: old } = await openTestJournal({ path, runs: [] });
    await old.recover();

    expect(await old.mustRecheck("run-1")).toBe(true);
  });

  it("requires no check where every marker has its row", async () => {
    const { path, journal } = await openTestJournal();
    await journal.recover();
    await planToSend(journal, KEY);
    journal.beginSending(KEY);

    const { journal: next } = await openTestJournal({ path, runs: [] });
    await next.recover();

    expect(await next.mustRecheck("run-1")).toBe(false);
  });
});

it("readWaitingElsewhere does not read rows of another store", async () => {
  const { path, journal } = await openTestJournal();
  await planToSend(journal, { runId: "run-1", row: 2, code: "A" });
  await planToSend(journal, { runId: "run-1", row: 3, code: "B" });
  journal.beginSending({ runId: "run-1", row: 2 });
  const other = await openTestJournal({ path, storeId: "store-2", runs: ["run-2"] });
  await planToSend(other.journal, { runId: "run-2", row: 2, code: "B" });

  expect(await other.journal.readWaitingElsewhere("run-2")).toEqual([]);
  expect(await other.journal.readCopySuspicion("run-1")).toEqual({
    restoredSeq: null,
    lastBegun: null,
  });
});
