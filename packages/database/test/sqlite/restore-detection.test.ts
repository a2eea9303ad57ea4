import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { openStore } from "../helpers/open-test-journal.ts";
import { planToSend } from "../helpers/runs-and-rows.ts";

const KEY = { runId: "run-1", row: 2 };

describe("countGeneration", () => {
  it("accepts a file that was only closed and opened", async () => {
    const { path, database, journal } = await openStore();
    database.close();
    const second = await openStore({ path, runs: [] });
    const third = await openStore({ path, runs: [] });
    second.database.close();

    const fourth = await openStore({ path, runs: [] });

    const restored = [database, second.database, third.database, fourth.database].map(
      ({ isRestored }) => isRestored,
    );
    expect(restored).toEqual([false, false, false, false]);
    expect(await fourth.journal.mustRecheck("run-1")).toBe(false);
    expect(await journal.readRows("run-1", { limit: 1 }).catch(() => "closed")).toBe("closed");
  });

  it("detects yesterday's copy, whose runs must be checked against the store before they are sent", async () => {
    const { path, database, journal } = await openStore();
    await planToSend(journal, KEY);
    database.close();
    copyFileSync(path, `${path}.backup`);
    const today = await openStore({ path, runs: [] });
    await today.journal.recover();
    today.journal.beginSending(KEY);
    today.database.close();
    copyFileSync(`${path}.backup`, path);

    const restored = await openStore({ path, runs: [] });

    expect(restored.database.isRestored).toBe(true);
    expect(await restored.journal.mustRecheck("run-1")).toBe(true);
    // The markers of the lost copy prove nothing here.
    expect(existsSync(`${path}.1.marks`)).toBe(false);
  });

  it("remembers the detection for later openings", async () => {
    const { path, database } = await openStore();
    database.close();
    copyFileSync(path, `${path}.backup`);
    (await openStore({ path, runs: [] })).database.close();
    copyFileSync(`${path}.backup`, path);
    (await openStore({ path, runs: [] })).database.close();

    const later = await openStore({ path, runs: [] });

    expect(later.database.isRestored).toBe(false);
    expect(await later.journal.mustRecheck("run-1")).toBe(true);
  });

  it("accepts a file whose note is gone", async () => {
    const { path, database } = await openStore();
    database.close();
    rmSync(`${path}.generation`);

    const again = await openStore({ path, runs: [] });

    expect(again.database.isRestored).toBe(false);
    expect(Number(readFileSync(`${path}.generation`, "utf8"))).toBeGreaterThan(0);
  });
});
