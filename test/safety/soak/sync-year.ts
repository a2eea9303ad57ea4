/**
 * Plays a year of syncs: `node test/safety/soak/sync-year.ts [days] [changes] [products]`, one every
 * quarter of an hour, on a clock of their own. Prints the size of the home month by month, and
 * compares what a sync and the list of runs cost in the first and in the last days.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type FileDatabase, openDatabase, pruneWhileIdle } from "@catalog/database/testing";

import { createSimulatedSyncs, type SimulatedSyncs } from "../growth/simulated-syncs.ts";

const DAYS = Number(process.argv[2] ?? 365);
const CHANGES = Number(process.argv[3] ?? 100);
const PRODUCTS = Number(process.argv[4] ?? 5_000);

const DAY_MS = 86_400_000;
const SYNCS_A_DAY = 96;
const KEEP_MS = 90 * DAY_MS;

const MAX_BYTES = 300_000_000;
const MAX_RATIO = 1.5;

/** Medians of one day, in milliseconds of the processor. */
interface DayTimes {
  readonly sync: number;
  readonly prune: number;
  readonly runs: number;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Time of the processor in milliseconds, which other processes of the machine do not change. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function playDay(database: FileDatabase, syncs: SimulatedSyncs): Promise<DayTimes> {
  const [sync, prune, runs]: [number[], number[], number[]] = [[], [], []];
  const clock = { now: () => performance.now(), sleep: () => Promise.resolve() };
  const idle = { database, pruner: syncs.pruner, clock, keepMs: KEEP_MS };
  for (let number = 0; number < SYNCS_A_DAY; number += 1) {
    sync.push(await timed(() => syncs.sync()));
    prune.push(await timed(() => pruneWhileIdle({ ...idle, maxMs: 100, maxCommits: 40 })));
    if (number % 12 === 0) runs.push(await timed(() => listRuns(syncs)));
  }
  return { sync: median(sync), prune: median(prune), runs: median(runs) };
}

async function listRuns({ runs, journal }: SimulatedSyncs): Promise<void> {
  for (const { id } of await runs.list(51)) await journal.countRows(id);
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

async function print(day: number, database: FileDatabase, times: DayTimes): Promise<void> {
  const { fileBytes, freeBytes, kinds } = await database.readSizes();
  const parts = Object.entries({ ...kinds, free: freeBytes })
    .filter(([, bytes]) => bytes > 100_000)
    .map(([kind, bytes]) => `${kind} ${megabytes(bytes)}`);
  const { sync, prune, runs } = times;
  const ms = `sync ${sync.toFixed(1)}, prune ${prune.toFixed(1)}, runs ${runs.toFixed(1)} ms`;
  console.log(`day ${day}: ${megabytes(fileBytes)} MB (${parts.join(", ")}); ${ms}`);
}

const folder = mkdtempSync(join(tmpdir(), "catalog-year-"));
try {
  using database = await openDatabase(join(folder, "catalog.db"));
  const everyMs = DAY_MS / SYNCS_A_DAY;
  const options = { products: PRODUCTS, changes: CHANGES, held: 1, everyMs };
  const syncs = createSimulatedSyncs({ database, ...options, startMs: Date.UTC(2026, 0, 1) });
  const days: DayTimes[] = [];
  for (let day = 1; day <= DAYS; day += 1) {
    const times = await playDay(database, syncs);
    days.push(times);
    if (day <= 3 || day % 30 === 0 || day === DAYS) await print(day, database, times);
  }
  const bytes = statSync(database.path).size;
  // The first day of all archives nothing yet.
  const [first, last] = [days.slice(1, 6), days.slice(-5)];
  const ratioOf = (name: keyof DayTimes): number =>
    median(last.map((day) => day[name])) / median(first.map((day) => day[name]));
  const ratios = { sync: ratioOf("sync"), prune: ratioOf("prune"), runs: ratioOf("runs") };
  const listed = await syncs.runs.list(Number.MAX_SAFE_INTEGER);
  console.log(JSON.stringify({ bytes, listed: listed.length, ratios }));
  assert.equal(listed.length, DAYS * SYNCS_A_DAY);
  assert.ok(bytes < MAX_BYTES, `the home has ${megabytes(bytes)} MB`);
  assert.ok(ratios.sync < MAX_RATIO && ratios.runs < MAX_RATIO, JSON.stringify(ratios));
} finally {
  rmSync(folder, { recursive: true });
}
