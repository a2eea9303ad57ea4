import { createFakeClock } from "@catalog/clock/testing";
import type { RowKey, VerificationLog } from "@catalog/runs";
import { begin } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { createJournal } from "../../src/journal/journal.ts";
import { createRunRepository } from "../../src/repositories/runs.ts";
import { createVerificationLog } from "../../src/repositories/verification-log.ts";
import { hasPostgres } from "../../src/testing/index.ts";
import { openTestJournal, type TestJournal } from "../helpers/open-test-journal.ts";
import { openTestPostgres } from "../helpers/open-test-postgres.ts";
import { newRun, seen, sendDone, STORE } from "../helpers/runs-and-rows.ts";

async function openFixture(storeId = "store-1", path?: string) {
  const runs = path === undefined ? ["run-1", "run-2"] : [];
  const store = await openTestJournal({ storeId, runs, ...(path === undefined ? {} : { path }) });
  const { database, clock } = store;
  const address = { baseUrl: "https://marketplace.test", storeId };
  return { ...store, log: createVerificationLog({ database, clock, store: address }) };
}

/** The parts of a store in a file, and on a server, where a lease is held. */
const PLACES = [
  ["a file", async () => await openTestJournal({ runs: [] })],
  [
    "PostgreSQL",
    async () => {
      const clock = createFakeClock(1_000);
      const { database, leases } = await openTestPostgres(clock);
      await leases.take("store", { command: "test", pid: process.pid, sinceMs: 0 });
      return { database, clock, store: STORE, leases };
    },
  ],
] as const;

describe.each(PLACES)("actions in %s", (place, openPlace) => {
  const test = it.skipIf(place === "PostgreSQL" && !hasPostgres());

  test("are read back as products are, with their changes, until all of it was seen", async () => {
    const context = await openPlace();
    const runs = createRunRepository(context);
    await runs.create(newRun("run-7"));
    await runs.update("run-7", { progress: { actions: { kind: "packages", only: "accept" } } });
    const journal = createJournal(context);
    const log = createVerificationLog(context);
    const change = { field: "status", old: 1, new: 3, isAssumed: true };
    for (const [row, subject] of [
      [2, "p1"],
      [3, "p2"],
    ] as const) {
      const key = { runId: "run-7", row };
      await journal.appendRows("run-7", [
        { row, cells: [subject], code: subject, codeKey: `package ${subject}` },
      ]);
      await journal.saveDecisions("run-7", [
        {
          row,
          state: "ready",
          action: "accept",
          productId: null,
          payload: null,
          call: { package_id: subject },
          changes: [change],
          issues: [],
        },
      ]);
      expect(await begin(journal, key)).toBe("begun");
      await journal.recordOutcome({ ...key, from: "sending" }, { to: "done", cause: "answer" });
    }

    const first = await log.readUnverified("run-7", 0, 10);
    const moved = { field: "status", sent: 3, seen: 4, isOld: false };
    await log.saveVerifications("run-7", [
      { ...look(2, "visible"), fields: [moved] },
      look(3, "not-visible"),
    ]);

    expect(first.map(({ row, record }) => [row, record.code, record.changes])).toEqual([
      [2, "p1", [change]],
      [3, "p2", [change]],
    ]);
    expect(await log.readUnverified("run-7", 0, 10)).toEqual([]);
    const open = await log.readOpen({ runId: "run-7", maxLookups: 12, limit: 10 });
    expect(open.map(({ row, record }) => [row, record.action])).toEqual([[3, "accept"]]);
    expect(await log.readVerifications("run-7", 0, 1)).toMatchObject([{ row: 2, fields: [moved] }]);
    expect((await runs.read("run-7"))?.progress.actions).toEqual({
      kind: "packages",
      only: "accept",
    });
  });
});

/** Sends an add and records it as done. */
const addRow = ({ journal }: TestJournal, runId: string, row: number): Promise<RowKey> =>
  sendDone(journal, { runId, row, code: `${runId}-${row}` });

const look = (row: number, status: "visible" | "mismatch" | "not-visible", looks = 1) => ({
  row,
  status,
  looks,
  fields: [],
});

const FIELD = { field: "stock_count", sent: 9, seen: 5, isOld: true };

describe("the verification log", () => {
  it("counts every done row, read back or not", async () => {
    const store = await openFixture();
    for (const row of [2, 3, 4, 5]) await addRow(store, "run-1", row);

    await store.log.saveVerifications("run-1", [
      look(2, "visible"),
      look(3, "mismatch"),
      look(4, "not-visible"),
    ]);

    const counts = { accepted: 1, visible: 1, mismatch: 1, "not-visible": 1 };
    expect(await store.log.countVerifications("run-1")).toEqual(counts);
    expect((await store.log.readUnverified("run-1", 0, 10)).map(({ row }) => row)).toEqual([5]);
    expect(await store.log.countVerifications("run-2")).toMatchObject({ accepted: 0 });
  });

  it("keeps the last result for a row, with the fields that differed", async () => {
    const store = await openFixture();
    await addRow(store, "run-1", 2);
    const first = { ...look(2, "mismatch"), fields: [FIELD] };

    await store.log.saveVerifications("run-1", [first]);
    expect(await store.log.readVerifications("run-1", 0, 10)).toEqual([first]);
    await store.log.saveVerifications("run-1", [look(2, "visible", 2)]);

    expect(await store.log.readVerifications("run-1", 0, 10)).toEqual([look(2, "visible", 2)]);
    expect(await store.log.readVerifications("run-1", 2, 10)).toEqual([]);
  });

  it("finds the rows to read again, of one run or of the whole store", async () => {
    const store = await openFixture();
    for (const runId of ["run-1", "run-2"]) {
      for (const row of [2, 3, 4]) await addRow(store, runId, row);
      await store.log.saveVerifications(runId, [
        look(2, "visible"),
        { ...look(3, "mismatch"), fields: [FIELD] },
        look(4, "not-visible", 9),
      ]);
    }
    const keysOf = async (query: Parameters<VerificationLog["readOpen"]>[0]): Promise<string[]> =>
      (await store.log.readOpen(query)).map(({ runId, row }) => `${runId} ${row}`);

    expect(await keysOf({ runId: "run-1", maxLookups: 12, limit: 10 })).toEqual([
      "run-1 3",
      "run-1 4",
    ]);
    expect(await keysOf({ maxLookups: 9, limit: 10 })).toEqual(["run-1 3", "run-2 3"]);
    const [open] = await store.log.readOpen({ maxLookups: Infinity, limit: 1 });
    expect(open).toMatchObject({ readings: 1, fields: [FIELD], record: { state: "done" } });
  });

  it("reads no row of another store", async () => {
    const store = await openFixture();
    await addRow(store, "run-1", 2);
    await store.log.saveVerifications("run-1", [look(2, "mismatch")]);

    const other = await openFixture("store-2", store.path);

    expect(await other.log.readOpen({ maxLookups: 12, limit: 10 })).toEqual([]);
    expect(await other.log.readVerifications("run-1", 0, 10)).toEqual([]);
  });

  it("keeps the values that an update will overwrite", async () => {
    const store = await openFixture();
    await addRow(store, "run-1", 2);
    const { product } = seen("p-1", { price: "12.50", stock: 3 });

    await store.log.saveBefore("run-1", [{ row: 2, product }]);

    expect(await store.log.readBefore("run-1", [2, 3])).toEqual(new Map([[2, product]]));
    expect(await store.log.readBefore("run-2", [2])).toEqual(new Map());
  });

  it("shares what was learnt of a marketplace among its stores", async () => {
    const store = await openFixture();
    const other = await openFixture("store-2", store.path);
    const stock = { action: "update", field: "stock_count" } as const;

    await store.log.saveCapabilities([{ ...stock, state: "refused" }]);
    expect(await other.log.readCapabilities()).toEqual([{ ...stock, state: "refused" }]);
    await other.log.saveCapabilities([{ ...stock, state: "proven" }]);

    expect(await store.log.readCapabilities()).toEqual([{ ...stock, state: "proven" }]);
  });

  it("resets refused fields, and nothing else", async () => {
    const store = await openFixture();
    const stock = { action: "update", field: "stock_count", state: "refused" } as const;
    const others = [
      { ...stock, field: "shipping_template_id" },
      { ...stock, field: "warranty_period", state: "proven" },
    ] as const;
    await store.log.saveCapabilities([stock, ...others]);

    await store.log.forgetRefusals([]);
    await store.log.forgetRefusals(["stock_count", "warranty_period"]);

    expect(await store.log.readCapabilities()).toEqual(others);
  });
});
