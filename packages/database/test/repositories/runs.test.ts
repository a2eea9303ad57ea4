import { systemClock } from "@catalog/clock";
import { createFakeClock } from "@catalog/clock/testing";
import { createRun, type PlanFacts, type RunWarning } from "@catalog/runs";
import { describe, expect, it, onTestFinished } from "vitest";

import { openPostgres } from "../../src/postgres/open-postgres.ts";
import {
  createCallLog,
  createCallTotals,
  createRunRepository,
  listOpenRuns,
} from "../../src/repositories/runs.ts";
import type { Database } from "../../src/sql/database.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { describeOnPostgres, openTestPostgres } from "../helpers/open-test-postgres.ts";
import { openRaw } from "../helpers/raw.ts";
import { newRun, STORE } from "../helpers/runs-and-rows.ts";

const FACTS: PlanFacts = {
  readBy: "listing",
  priceUnit: "minor",
  planned: {
    add: 3,
    update: 2,
    unchanged: 1,
    invalid: 0,
    duplicate: 0,
    held: 0,
    requests: 5,
    seconds: 2.5,
  },
};

const warn = (en: string): RunWarning => ({ code: "W_TEST", message: { tr: `${en} tr`, en } });

describe("createRunRepository", () => {
  it("keeps a run as it was created", async () => {
    const { runs } = await openTestJournal({ runs: [] });

    await runs.create(newRun("run-1"));

    expect(await runs.read("run-1")).toEqual({
      ...newRun("run-1"),
      kind: "import",
      settings: {},
      progress: {},
      state: "planning",
      facts: null,
      requests: { token: 0, read: 0, write: 0 },
      createdAtMs: 1_000,
      updatedAtMs: 1_000,
    });
    expect(await runs.read("run-2")).toBeUndefined();
  });

  it("leaves the run that has an id as it is", async () => {
    const { runs } = await openTestJournal();
    const first = await runs.read("run-1");

    expect(await runs.create({ ...newRun("run-1"), command: "undo" })).toBe(false);
    expect(await runs.read("run-1")).toEqual(first);
  });

  it("creates a run under another id where one is taken", async () => {
    const { runs, clock } = await openTestJournal();
    const asked: string[] = [];

    const id = await createRun({ runs, clock }, (free) => {
      asked.push(free);
      return newRun(asked.length === 1 ? "run-1" : free);
    });

    expect(asked).toHaveLength(2);
    expect(id).toBe(asked[1]);
    expect(await runs.read(id)).toMatchObject({ id, state: "planning" });
  });

  it("changes only the given fields", async () => {
    const { runs, clock } = await openTestJournal();
    await clock.advance(10);
    await runs.update("run-1", { state: "planned", facts: FACTS });
    const planned = await runs.read("run-1");
    await clock.advance(10);

    const warnings = [{ code: "W_UNIT", message: { tr: "Birim bilinmiyor", en: "Unknown unit" } }];
    const settings = { strict: true, maxErrors: "5%" };

    await runs.update("run-1", { warnings, settings });

    expect(planned).toMatchObject({ state: "planned", facts: FACTS, updatedAtMs: 1_010 });
    expect(await runs.read("run-1")).toEqual({
      ...planned,
      warnings,
      settings,
      updatedAtMs: 1_020,
    });
  });

  it("keeps settings and progress in one column, and reads them separately", async () => {
    const { runs, path } = await openTestJournal({ runs: [] });
    await runs.create({ ...newRun("run-1"), settings: { canary: 2 } });

    await runs.update("run-1", { progress: { retryOf: "run-0", canaryVerdict: "passed" } });
    await runs.update("run-1", { settings: { canary: 3, strict: true } });

    expect(await runs.read("run-1")).toMatchObject({
      settings: { canary: 3, strict: true },
      progress: { retryOf: "run-0", canaryVerdict: "passed" },
    });
    const [run] = openRaw(path).rows("SELECT settings_json FROM run");
    expect(JSON.parse(String(run?.["settings_json"]))).toEqual({
      canary: 3,
      strict: true,
      retryOf: "run-0",
      canaryVerdict: "passed",
    });
  });

  it.each([
    ["sync", "sync"],
    ["import", "import"],
    ["plan", "import"],
    ["retry", "import"],
  ])("stores a run of the command %s with the kind %s", async (command, kind) => {
    const { runs } = await openTestJournal({ runs: [] });

    await runs.create({ ...newRun("run-1"), command });

    expect(await runs.read("run-1")).toMatchObject({ command, kind });
  });

  it("appends warnings that the run does not have yet, each once", async () => {
    const { runs, clock } = await openTestJournal();
    await runs.update("run-1", { warnings: [warn("one")] });
    await clock.advance(10);

    await runs.addWarnings("run-1", [warn("two"), warn("one"), warn("two"), warn("three")]);

    expect(await runs.read("run-1")).toMatchObject({
      warnings: [warn("one"), warn("two"), warn("three")],
      updatedAtMs: 1_010,
    });
  });

  it("changes nothing of a run that has all the warnings", async () => {
    const { runs, clock } = await openTestJournal();
    const warnings = [warn("one")];
    await runs.addWarnings("run-1", warnings);
    const before = await runs.read("run-1");
    await clock.advance(10);

    await runs.addWarnings("run-1", warnings);

    expect(await runs.read("run-1")).toEqual(before);
  });

  it("adds up the calls of every process", async () => {
    const first = await openTestJournal({ runs: ["run-1", "run-2"] });
    const second = await openTestJournal({ path: first.path, runs: [] });

    await first.runs.addRequests("run-1", { token: 1, read: 20, write: 300 });
    await second.runs.addRequests("run-1", { token: 0, read: 1, write: 2 });
    await first.runs.addRequests("run-1", { token: 1, read: 0, write: 0 });

    expect(await second.runs.read("run-1")).toMatchObject({
      requests: { token: 2, read: 21, write: 302 },
    });
    expect(await second.runs.read("run-2")).toMatchObject({
      requests: { token: 0, read: 0, write: 0 },
    });
  });

  it("lists the newest runs first", async () => {
    const { runs, clock } = await openTestJournal({ runs: [] });
    for (const id of ["b", "c", "a"]) {
      await runs.create(newRun(id));
      await clock.advance(1);
    }

    const listed = await runs.list(10);

    expect(listed.map(({ id }) => id)).toEqual(["a", "c", "b"]);
    expect(await runs.list(2)).toEqual(listed.slice(0, 2));
    expect(listed[0]).toEqual(await runs.read("a"));
  });

  it("lists runs page by page, those of one moment too, and those of one kind alone", async () => {
    const { runs, clock } = await openTestJournal({ runs: [] });
    for (const id of ["a", "b", "c", "d"]) {
      const command = id === "b" ? "sync" : "import";
      await runs.create({ ...newRun(id), command });
      if (id === "c") await clock.advance(1);
    }
    const idsOf = async (...query: Parameters<typeof runs.list>): Promise<readonly string[]> =>
      (await runs.list(...query)).map(({ id }) => id);
    const [, second] = await runs.list(2);

    expect(await idsOf(2)).toEqual(["d", "c"]);
    expect(await idsOf(2, { before: second })).toEqual(["b", "a"]);
    expect(await idsOf(9, { kind: "sync" })).toEqual(["b"]);
    expect(await idsOf(9, { kind: "import", before: second })).toEqual(["a"]);
  });

  it("lists the runs that undo a run, newest first", async () => {
    const { runs, clock } = await openTestJournal();
    for (const [id, undoOf] of [
      ["undo-1", "run-1"],
      ["undo-2", "undo-1"],
      ["undo-3", "run-1"],
    ] as const) {
      await clock.advance(10);
      await runs.create({ ...newRun(id), command: "undo" });
      await runs.update(id, { progress: { undoOf } });
    }

    const undos = await runs.listUndos("run-1");

    expect(undos.map(({ id }) => id)).toEqual(["undo-3", "undo-1"]);
  });

  it("throws for a change of a run that the store does not have, and changes nothing", async () => {
    const { path, runs } = await openTestJournal();
    const other = await openTestJournal({ path, storeId: "store-2", runs: [] });
    const before = await runs.read("run-1");

    await expect(other.runs.update("run-1", { state: "finished" })).rejects.toThrow(
      "this store has no run run-1",
    );
    await expect(other.runs.addRequests("run-1", { token: 1, read: 1, write: 1 })).rejects.toThrow(
      "this store has no run run-1",
    );
    await expect(other.runs.addWarnings("run-1", [])).rejects.toThrow(
      "this store has no run run-1",
    );

    expect(await other.runs.read("run-1")).toBeUndefined();
    expect(await runs.read("run-1")).toEqual(before);
  });
});

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

const OTHER = { ...STORE, storeId: "s-2" };

/** The store of a run, as another store of the same database finds it. */
async function findAcross(own: Database, others: Database): Promise<readonly unknown[]> {
  const clock = createFakeClock(1_000);
  await createRunRepository({ database: others, clock, store: OTHER }).create(newRun("run-9"));
  const runs = createRunRepository({ database: own, clock, store: STORE });
  return [await runs.read("run-9"), await runs.findStore("run-9"), await runs.findStore("none")];
}

const FOUND = [undefined, { baseUrl: STORE.baseUrl, storeId: "s-2" }, undefined];

it("finds which store of a file has a run", async () => {
  using database = await openDatabase(":memory:");

  expect(await findAcross(database, database)).toEqual(FOUND);
});

describeOnPostgres("the store of a run on PostgreSQL", () => {
  it("is found", async () => {
    const { database, server } = await openTestPostgres();
    const others = await openPostgres({ url: server.url, clock: systemClock, store: OTHER });
    onTestFinished(() => others.close());

    expect(await findAcross(database, others)).toEqual(FOUND);
  });
});

it("listOpenRuns lists runs of the store that are not finished, the last changed first", async () => {
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
