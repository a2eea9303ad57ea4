import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { createCallLog, createCallTotals } from "../../src/repositories/calls.ts";
import { createRunRepository, listOpenRuns } from "../../src/repositories/runs.ts";
import type { Database } from "../../src/sql/database.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { describeOnPostgres, openTestPostgres } from "../helpers/open-test-postgres.ts";
import { newRun } from "../helpers/runs-and-rows.ts";

describe("the calls of a run", () => {
  it("adds up calls by minute, with the latest limit", async () => {
    const { database, runs } = await openTestJournal();
    await runs.create(newRun("run-2"));
    const log = createCallLog(database);

    await log.add("run-1", [
      { minute: 11, calls: 4, perHour: null },
      { minute: 10, calls: 9, perHour: null },
    ]);
    await log.add("run-1", [{ minute: 11, calls: 3, perHour: 600 }]);
    await log.add("run-2", [{ minute: 11, calls: 1, perHour: 600 }]);

    expect(await log.read("run-1")).toEqual([
      { minute: 10, calls: 9, perHour: null },
      { minute: 11, calls: 7, perHour: 600 },
    ]);
    expect(await log.read("run-2")).toEqual([{ minute: 11, calls: 1, perHour: 600 }]);
  });

  it("refuses calls of a run that does not exist, and writes none of them", async () => {
    const { database } = await openTestJournal();
    const log = createCallLog(database);

    await expect(log.add("run-9", [{ minute: 1, calls: 1, perHour: null }])).rejects.toThrow(
      /FOREIGN/u,
    );
    expect(await log.read("run-9")).toEqual([]);
  });
});

const STORE = { baseUrl: "https://marketplace.test", storeId: "store-1" };
const ADDED = { kind: "write", outcome: "ok" };

async function openFile(): Promise<Database> {
  const database = await openDatabase(":memory:");
  onTestFinished(() => database.close());
  return database;
}

async function countCalls(database: Database): Promise<void> {
  const clock = createFakeClock(1_000);
  const [one, other] = [1, 2].map(() => createCallTotals({ database, clock, store: STORE }));
  if (one === undefined || other === undefined) throw new Error("two");

  one.note(ADDED);
  one.note({ kind: "read", outcome: "limited" });
  other.note(ADDED);
  const early = await other.read();
  await one.flush();
  await clock.advance(5_000);
  one.note(ADDED);
  const late = await one.read();

  expect(early).toEqual([{ ...ADDED, calls: 1 }]);
  expect(late).toEqual([
    { kind: "read", outcome: "limited", calls: 1 },
    { ...ADDED, calls: 3 },
  ]);
}

describe("the calls of a store", () => {
  it("add up over processes", async () => {
    await countCalls(await openFile());
  });

  it("are written with a call that comes seconds later, and kept where that fails", async () => {
    const database = await openFile();
    const clock = createFakeClock(1_000);
    let isBusy = true;
    const busy: Database = {
      ...database,
      async transactionAtOnce(work) {
        if (isBusy) throw new Error("another process writes");
        return await database.transactionAtOnce(work);
      },
    };
    const totals = createCallTotals({ database: busy, clock, store: STORE });
    const written = createCallTotals({ database, clock, store: STORE });

    totals.note(ADDED);
    await clock.advance(5_000);
    totals.note(ADDED);
    const whileBusy = await written.read();
    isBusy = false;
    await clock.advance(5_000);
    totals.note(ADDED);
    await clock.advance(0);

    expect([whileBusy, await written.read()]).toEqual([[], [{ ...ADDED, calls: 3 }]]);
  });
});

describeOnPostgres("the calls of a store on PostgreSQL", () => {
  it("add up over processes", async () => {
    await countCalls((await openTestPostgres()).database);
  });
});

describe("listOpenRuns", () => {
  it("lists runs of the store that are not finished, the last changed first", async () => {
    const database = await openFile();
    const clock = createFakeClock(1_000);
    const runs = createRunRepository({ database, clock, store: STORE });
    const others = createRunRepository({ database, clock, store: { ...STORE, storeId: "s-2" } });
    for (const id of ["r-1", "r-2", "r-3"]) await runs.create(newRun(id));
    await others.create(newRun("r-4"));
    await clock.advance(1_000);

    await runs.update("r-1", { state: "stopped" });
    await runs.update("r-2", { state: "finished" });

    expect(await listOpenRuns(database, STORE, 9)).toEqual(["r-1", "r-3"]);
    expect(await listOpenRuns(database, STORE, 1)).toEqual(["r-1"]);
  });
});
