import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { describe, expect, it } from "vitest";

import { ageRuns } from "../../helpers/age-runs.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import type { WatchOptions } from "../../helpers/markets/watched-sandbox.ts";
import { goodRow, writeCsv } from "../../helpers/product-sheet.ts";

/** Imports rows with this stock, and returns the id of the run. */
async function importStock(
  { folder, json }: TestStore,
  numbers: readonly number[],
  stock: number,
): Promise<string> {
  const rows = numbers.map((number) => goodRow(number, { "Stok *": stock }));
  const { exit, run } = await json("import", writeCsv(folder, `stok-${stock}.csv`, rows), "--yes");
  expect(exit).toBe(0);
  return run;
}

/** A run that is over and the newest one, of which nothing is archived. */
async function openTwoRuns(
  options: WatchOptions = {},
): Promise<TestStore & { readonly runId: string }> {
  const store = await openTestStore(options);
  const runId = await importStock(store, [1, 2, 3], 10);
  await importStock(store, [3], 20);
  return { ...store, runId };
}

const age = ({ folder }: TestStore, days: number): void => ageRuns(join(folder, "home"), days);

describe("a run that is archived", () => {
  it("is shown, explained and reported as before", async () => {
    const store = await openTwoRuns();
    const { json, runId, folder } = store;
    const look = async (): Promise<unknown> => {
      const said = await json("report", runId, "--report", join(folder, "rapor"));
      return {
        shown: await json("runs", runId),
        explained: await json("explain", runId, "3"),
        csv: readFileSync(join(folder, "rapor", "result.csv"), "utf8"),
        report: said,
      };
    };
    const before = await look();
    age(store, 10);

    const pruned = await json("runs", "prune");

    expect(pruned).toMatchObject({ prune: { runs: 0, rows: 0 } });
    expect(await look()).toEqual(before);
  });

  it("is archived by the next command that writes", async () => {
    const store = await openTwoRuns();
    const { runId } = store;
    age(store, 10);

    await importStock(store, [2], 30);

    using database = new DatabaseSync(join(store.folder, "home", "catalog.db"), { readOnly: true });
    const entries = database.prepare("SELECT run_id, stage FROM run_archive").all();
    expect(entries).toEqual([{ run_id: runId, stage: "archived" }]);
  });
});

describe("catalog runs prune", () => {
  it("reports with --dry-run what it would delete, without deleting", async () => {
    const store = await openTwoRuns();
    const { json, run, runId } = store;
    age(store, 100);

    const said = await json("runs", "prune", "--dry-run");
    const told = await run("runs", "prune", "--dry-run", "--older-than", "30d");

    expect(said.exit).toBe(0);
    expect(said).toEqual({
      command: "runs",
      exit: 0,
      prune: {
        dry_run: true,
        older_than_days: 90,
        runs: 1,
        rows: 3,
        waiting_runs: 0,
        bytes: expect.any(Number),
      },
    });
    expect(told.out).toMatch(/^30 günden eski 1 çalıştırmanın 3 satırı silinecek; yaklaşık /u);
    expect(told.err).toContain("catalog runs prune --older-than 30d");
    expect((await json("report", runId)).exit).toBe(0);
  });

  it("keeps the run's line and counts, and says what was deleted", async () => {
    const store = await openTwoRuns();
    const { json, run, runId } = store;
    const before = await json("runs", runId);
    const listed = (await run("runs")).out;
    age(store, 100);

    const said = await json("runs", "prune");

    expect(said.prune).toMatchObject({ dry_run: false, runs: 1, rows: 3 });
    expect(await json("runs", runId)).toEqual({ ...before, pruned: expect.any(String) });
    expect((await run("runs")).out).toBe(listed);
    expect((await run("runs", runId)).err).toContain("saklama süresi dolduğu için silindi");
    for (const words of [
      ["report"],
      ["explain", "3"],
      ["retry", "--yes"],
      ["resume"],
      ["release"],
    ]) {
      const [command = "", ...rest] = words;
      const refused = await json(command, runId, ...rest);
      expect([command, refused.exit, refused.error.code]).toEqual([command, 2, "E_RUN_PRUNED"]);
      expect(refused.error.message).toContain(`(${runId}, `);
    }
  });

  it("keeps what an undo needs unless a later run has sent the same fields", async () => {
    const store = await openTestStore();
    const { json, sandbox } = store;
    await importStock(store, [1, 2, 3], 10);
    const runId = await importStock(store, [1, 2, 3], 20);
    await importStock(store, [3], 30);
    age(store, 100);
    await json("runs", "prune");

    const said = await json("undo", runId, "--yes");

    expect(said.exit).toBe(0);
    expect(said.counts).toMatchObject({ rows: 2, updated: 2 });
    expect(said.warnings).toEqual([
      expect.stringContaining("2 ürün eski hâline dönecek"),
      expect.stringContaining("1 satırı geri alınamaz"),
    ]);
    expect(sandbox.products().map(({ stock_count }) => stock_count)).toEqual([10, 10, 30]);
  });

  it("adds no product of a pruned run again", async () => {
    const store = await openTwoRuns();
    const { json, runId, sandbox } = store;
    age(store, 100);
    await json("runs", "prune");

    await importStock(store, [1, 2, 3], 10);

    expect(sandbox.products()).toHaveLength(3);
    expect((await json("runs", runId)).counts.added).toBe(3);
  });

  it("deletes the rows of a plan that was never applied, and says so to apply", async () => {
    const store = await openTestStore();
    const { json, folder } = store;
    await importStock(store, [1], 10);
    const file = writeCsv(folder, "plan.csv", [goodRow(1, { "Stok *": 5 })]);
    const { run: planned } = await json("plan", file);
    await importStock(store, [1], 20);
    age(store, 100);

    const said = await json("runs", "prune");

    expect((await json("runs", planned)).pruned).toEqual(expect.any(String));
    expect(said.prune.runs).toBeGreaterThan(1);
    const refused = await json("apply", planned, "--recheck");
    expect([refused.exit, refused.error.code]).toEqual([2, "E_RUN_PRUNED"]);
  });

  it("refuses an age of less than a day, and its flags with another command", async () => {
    const store = await openTestStore();
    const { json } = store;

    const short = await json("runs", "prune", "--older-than", "90m");
    const strange = await json("runs", "--dry-run");

    expect([short.exit, strange.exit]).toEqual([2, 2]);
    expect(short.error.message).toContain("1d");
    expect(strange.error.message).toContain("catalog runs prune");
  });
});

describe("catalog runs", () => {
  it("lists the newest runs, and says that there are older ones", async () => {
    const store = await openTwoRuns();
    const { json, run, runId } = store;

    const one = await json("runs", "--limit", "1");
    const told = await run("runs", "--limit", "1");
    const all = await json("runs", "--all");

    expect(one).toMatchObject({ runs: [{ counts: { updated: 1 } }], more: true });
    expect(told.out).not.toContain(runId);
    expect(told.err).toContain("catalog runs --all");
    expect(all).toMatchObject({ runs: [{}, { run: runId }], more: false });
  });
});

describe("catalog doctor", () => {
  it("reports the size of the home and what pruning would free", async () => {
    const breaks = {
      "early-token": "the doctor asks for a new token",
      "unknown-path": "the doctor tries whether the address answers",
    };
    const store = await openTwoRuns({ breaks });
    const { json } = store;
    age(store, 100);

    const said = await json("doctor");

    const storage = said.checks.find(({ name }: { readonly name: string }) => name === "storage");
    expect(storage).toMatchObject({
      state: "ok",
      message: expect.stringContaining("saklama süresi dolmuş 3 satır"),
      sizes: { database: expect.any(Number), archive: expect.any(Number), prunable_rows: 3 },
    });
    expect(storage.sizes.home).toBeGreaterThan(storage.sizes.database);
  });
});
