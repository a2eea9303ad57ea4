import { createRun, type PlanFacts, type RunWarning } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { openTestJournal } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";
import { newRun } from "../helpers/runs-and-rows.ts";

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
