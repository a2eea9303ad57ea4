/**
 * Measures the queue: two workers for 1,000 stores, each with a schedule, and 50 queued runs. Takes
 * 5 minutes: `node test/bench/queue/main.ts`.
 */

import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import type { Connection } from "@catalog/connection";
import { createTestDatabase, startPostgres } from "@catalog/database/testing";

import { ENDLESS, openStore, type Place, STORES, type Told } from "./stores.ts";

const QUEUED = 50;
const IDLE_MS = 30_000;
const SETTLE_MS = 10_000;
const LOOK_MS = 50;
const MAX_WAIT_MS = 180_000;
const MINUTE_MS = 60_000;

/** Does something with each store, one after the other, as a thousand of them take much memory. */
async function forEachStore(
  place: Place,
  work: (memory: Connection["memory"]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < STORES; at += 1) {
    await using store = await openStore(at, place);
    await work(store.memory);
  }
}

/** Lets every store have a sync at this time. */
async function schedule(place: Place, dueMs: number): Promise<void> {
  const at = new Date(dueMs);
  const cron = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
  const rest = { feed: "/feed.csv", options: {}, timeZone: "UTC", madeBy: "page" } as const;
  const settings = { id: "sync", cron, isSpread: false, ...rest };
  await forEachStore(place, ({ schedules }) => schedules.save(settings));
}

async function send(place: Place, at: number, run: string): Promise<void> {
  await using store = await openStore(at, place);
  await store.memory.jobs.add({ kind: "apply", key: run, spec: {} });
}

type Cost = Extract<Told, { readonly is: "cost" }>;
type Start = Extract<Told, { readonly is: "started" }>;

interface Worker {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  readonly starts: Start[];
  cost: Cost;
}

function startWorker({ url, home }: Place): Worker {
  const child = fork(new URL("worker.ts", import.meta.url), [url, home]);
  const ready = Promise.withResolvers<void>();
  const none = { is: "cost", statements: 0, cpuMs: 0, rssMb: 0 } as const;
  const worker: Worker = { child, ready: ready.promise, starts: [], cost: none };
  child.on("message", (told: Told) => {
    if (told.is === "ready") ready.resolve();
    else if (told.is === "cost") worker.cost = told;
    else worker.starts.push(told);
  });
  child.on("exit", () => {
    ready.resolve();
    console.log("  a worker has ended");
  });
  return worker;
}

const sumOf = (workers: readonly Worker[], what: "statements" | "cpuMs"): number =>
  workers.reduce((sum, { cost }) => sum + cost[what], 0);

async function measureIdle(workers: readonly Worker[]): Promise<void> {
  await wait(SETTLE_MS);
  const before = [sumOf(workers, "statements"), sumOf(workers, "cpuMs")] as const;
  await wait(IDLE_MS);
  const statements = (sumOf(workers, "statements") - before[0]) / (IDLE_MS / 1000);
  const cores = (sumOf(workers, "cpuMs") - before[1]) / IDLE_MS;
  const memory = workers.map(({ cost }) => Math.round(cost.rssMb)).join(" + ");
  console.log(
    `  idle: ${statements.toFixed(1)} statements/s, ${(cores * 100).toFixed(1)} % of a core, ${memory} MB`,
  );
}

/** Waits until so many were started, or three minutes, and says how late they were. */
async function measureStarts(
  what: string,
  { begunMs, count, read }: { begunMs: number; count: number; read: () => readonly Start[] },
): Promise<void> {
  while (read().length < count && Date.now() - begunMs < MAX_WAIT_MS) await wait(LOOK_MS);
  const late = read()
    .map(({ atMs }) => atMs - begunMs)
    .toSorted((a, b) => a - b);
  const [median, last] = [late[late.length >> 1] ?? Number.NaN, late.at(-1) ?? Number.NaN];
  console.log(`  ${what}: ${late.length} started, median ${median} ms, last ${last} ms`);
}

async function play(home: string): Promise<void> {
  await using server = await startPostgres();
  await using database = await createTestDatabase({ server: server.url });
  const place = { url: database.url, home };
  await forEachStore(place, async () => undefined);
  const begunMs = Date.now();
  const workers = [startWorker(place), startWorker(place)] as const;
  await Promise.all(workers.map(({ ready }) => ready));
  console.log(`workers are ready after ${Date.now() - begunMs} ms`);
  await measureIdle(workers);
  const starts = (kind: Start["kind"]): readonly Start[] =>
    workers.flatMap((worker) => worker.starts.filter((start) => start.kind === kind));
  const sentMs = Date.now();
  for (let at = 0; at < QUEUED; at += 1) await send(place, at, `r-${at}`);
  await measureStarts("queued runs", { begunMs: sentMs, count: QUEUED, read: () => starts("run") });
  // The schedules must have been seen before they are due.
  const dueMs = Math.ceil((Date.now() + 2 * MINUTE_MS) / MINUTE_MS) * MINUTE_MS;
  await schedule(place, dueMs);
  await wait(Math.max(0, dueMs - Date.now()));
  const before = sumOf(workers, "statements");
  await measureStarts("syncs", { begunMs: dueMs, count: STORES, read: () => starts("sync") });
  console.log(`  syncs: ${sumOf(workers, "statements") - before} statements`);
  await measureIdle(workers);
  await measureTakeOver(place, workers);
  for (const { child } of workers) child.kill("SIGKILL");
}

async function measureTakeOver(place: Place, workers: readonly Worker[]): Promise<void> {
  const hasIt = ({ starts }: Worker): boolean => starts.some(({ run }) => run === ENDLESS);
  await send(place, STORES - 1, ENDLESS);
  const sentMs = Date.now();
  while (!workers.some(hasIt) && Date.now() - sentMs < MAX_WAIT_MS) await wait(LOOK_MS);
  workers.find(hasIt)?.child.kill("SIGKILL");
  const killedMs = Date.now();
  while (!workers.every(hasIt) && Date.now() - killedMs < MAX_WAIT_MS) await wait(LOOK_MS);
  console.log(`  a job of a killed worker starts again after ${Date.now() - killedMs} ms`);
}

const folder = mkdtempSync(join(tmpdir(), "catalog-queue-"));
await play(folder);
rmSync(folder, { recursive: true, force: true });
process.exit();
