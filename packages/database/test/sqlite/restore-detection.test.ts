import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { openTestJournal } from "../helpers/open-test-journal.ts";
import { planToSend } from "../helpers/runs-and-rows.ts";

const KEY = { runId: "run-1", row: 2 };

describe("countOpening", () => {
  it("accepts a file that was only closed and opened", async () => {
    const { path, database, journal } = await openTestJournal();
    database.close();
    const second = await openTestJournal({ path, runs: [] });
    const third = await openTestJournal({ path, runs: [] });
    second.database.close();

    const fourth = await openTestJournal({ path, runs: [] });

    const restored = [database, second.database, third.database, fourth.database].map(
      ({ isRestored }) => isRestored,
    );
    expect(restored).toEqual([false, false, false, false]);
    expect(await fourth.journal.mustRecheck("run-1")).toBe(false);
    expect(await journal.readRows("run-1", { limit: 1 }).catch(() => "closed")).toBe("closed");
  });

  it("detects yesterday's copy, whose runs must be checked against the store before they are sent", async () => {
    const { path, database, journal } = await openTestJournal();
    await planToSend(journal, KEY);
    database.close();
    copyFileSync(path, `${path}.backup`);
    const today = await openTestJournal({ path, runs: [] });
    await today.journal.recover();
    today.journal.beginSending(KEY);
    today.database.close();
    copyFileSync(`${path}.backup`, path);

    const restored = await openTestJournal({ path, runs: [] });

    expect(restored.database.isRestored).toBe(true);
    expect(await restored.journal.mustRecheck("run-1")).toBe(true);
    // The markers of the lost copy prove nothing here.
    expect(existsSync(`${path}.1.marks`)).toBe(false);
  });

  it("remembers the detection for later openings", async () => {
    const { path, database } = await openTestJournal();
    database.close();
    copyFileSync(path, `${path}.backup`);
    (await openTestJournal({ path, runs: [] })).database.close();
    copyFileSync(`${path}.backup`, path);
    (await openTestJournal({ path, runs: [] })).database.close();

    const later = await openTestJournal({ path, runs: [] });

    expect(later.database.isRestored).toBe(false);
    expect(await later.journal.mustRecheck("run-1")).toBe(true);
  });

  it("accepts a file whose note is gone", async () => {
    const { path, database } = await openTestJournal();
    database.close();
    rmSync(`${path}.generation`);

    const again = await openTestJournal({ path, runs: [] });

    expect(again.database.isRestored).toBe(false);
    expect(Number(readFileSync(`${path}.generation`, "utf8"))).toBeGreaterThan(0);
  });
});
