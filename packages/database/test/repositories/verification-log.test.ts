import type { RowKey, VerificationLog } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { createVerificationLog } from "../../src/repositories/verification-log.ts";
import { openTestJournal, type TestJournal } from "../helpers/open-test-journal.ts";
import { seen, sendDone } from "../helpers/runs-and-rows.ts";

async function openFixture(storeId = "store-1", path?: string) {
  const runs = path === undefined ? ["run-1", "run-2"] : [];
  const store = await openTestJournal({ storeId, runs, ...(path === undefined ? {} : { path }) });
  const { database, clock } = store;
  const address = { baseUrl: "https://marketplace.test", storeId };
  return { ...store, log: createVerificationLog({ database, clock, store: address }) };
}

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
