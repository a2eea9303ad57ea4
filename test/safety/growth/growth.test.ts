import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type FileDatabase, openDatabase } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { runScript } from "../../helpers/processes/run-script.ts";
import { createSimulatedSyncs, type SimulatedSyncs } from "./simulated-syncs.ts";

const DAY_MS = 86_400_000;

/** Days for which rows are kept here. */
const KEEP_MS = 30 * DAY_MS;

const CHANGES = 20;

async function openFile(): Promise<FileDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "catalog-growth-"));
  const database = await openDatabase(join(folder, "catalog.db"));
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  return database;
}

/** Syncs twice a day, and prunes after each sync as a command does. */
async function syncForDays(syncs: SimulatedSyncs, days: number): Promise<void> {
  for (let sync = 0; sync < days * 2; sync += 1) {
    await syncs.sync();
    for (let step = 0; step < 8; step += 1) await syncs.pruner.advance(KEEP_MS);
  }
}

describe("a home in which a feed is synced for months", () => {
  it("grows by little more than the lines of the runs", async () => {
    const database = await openFile();
    const options = { products: 200, changes: CHANGES, everyMs: DAY_MS / 2 };
    const syncs = createSimulatedSyncs({ database, ...options, startMs: Date.UTC(2026, 0, 1) });
    await syncForDays(syncs, 1);
    const first = await database.readSizes();
    await syncForDays(syncs, 59);
    const middle = await database.readSizes();

    await syncForDays(syncs, 60);

    const last = await database.readSizes();
    const plainRow = (first.kinds.rows + first.kinds.events) / first.tableRows;
    const linesOfRuns = last.kinds.runs - middle.kinds.runs;
    // An archived row takes at most an eighth of one in its tables.
    expect(last.kinds.archive / last.archivedRows).toBeLessThan(plainRow / 8);
    expect(last.archivedRows).toBeLessThanOrEqual(31 * 2 * CHANGES);
    // 120 runs of this time left a line each, and pages that are not full.
    expect(linesOfRuns).toBeLessThan(120 * 2_000);
    expect(last.fileBytes - middle.fileBytes).toBeLessThan(linesOfRuns + 30 * 16_384);
    expect(await syncs.runs.list(1_000)).toHaveLength(240);
  });

  it("grows no faster where a guard holds rows in every sync", async () => {
    const database = await openFile();
    const options = { products: 200, changes: CHANGES, held: 2, everyMs: DAY_MS / 2 };
    const syncs = createSimulatedSyncs({ database, ...options, startMs: Date.UTC(2026, 0, 1) });
    await syncForDays(syncs, 60);
    const middle = await database.readSizes();

    await syncForDays(syncs, 60);

    const last = await database.readSizes();
    expect(last.tableRows - middle.tableRows).toBeLessThanOrEqual(CHANGES);
    expect(last.archivedRows).toBeLessThanOrEqual(31 * 2 * (CHANGES + 2));
    expect(last.kinds.rows + last.kinds.events).toBeLessThan(
      1.2 * (middle.kinds.rows + middle.kinds.events),
    );
    const linesOfRuns = last.kinds.runs - middle.kinds.runs;
    expect(last.fileBytes - middle.fileBytes).toBeLessThan(linesOfRuns + 30 * 16_384);
    expect(await syncs.pruner.listWaiting(DAY_MS)).toEqual([]);
  });

  it("asks no question for which all runs are visited", async () => {
    const { code, out, err } = await runScript("safety/growth/list-scans.ts", []);

    expect([code, err]).toEqual([0, ""]);
    const { statements, scans } = JSON.parse(out);
    expect(scans).toEqual([]);
    expect(statements).toBeGreaterThan(50);
  });
});
