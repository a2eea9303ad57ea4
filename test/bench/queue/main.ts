/**
 * Compares our queue with pg-boss: two workers for 1,000 stores, each with a schedule, and 50 queued
 * runs. Takes 25 minutes: `node test/bench/queue/main.ts`, or one of `MODES` as argument.
 */

import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { systemClock } from "@catalog/clock";
import { type Connection, openConnection } from "@catalog/connection";
import { createTestDatabase, startPostgres, type TestDatabase } from "@catalog/database/testing";
import { PgBoss } from "pg-boss";

import {
  ENDLESS,
  type Mode,
  MODES,
  nameOf,
  ONE_QUEUE,
  storeOf,
  STORES,
  type Told,
} from "./stores.ts";

const QUEUED = 50;
const IDLE_MS = 30_000;
const SETTLE_MS = 10_000;
const LOOK_MS = 50;
const MAX_WAIT_MS = 180_000;
const MINUTE_MS = 60_000;

/** Where work is written. */
interface Queue extends AsyncDisposable {
  /** Address of the database for the workers. */
  readonly url: string;
  /** Lets every store have a sync at this time. */
  schedule(dueMs: number): Promise<void>;
  send(store: number, run: string): Promise<void>;
}

async function openOurs({ url }: TestDatabase, home: string): Promise<Queue> {
  const stores: Connection[] = [];
  for (let at = 0; at < STORES; at += 1) {
    const credentials = { clientKey: "key", clientSecret: "secret" };
    const opened = { ...storeOf(at), home, databaseUrl: url, credentials };
    stores.push(await openConnection({ ...opened, clock: systemClock, random: Math.random }));
  }
  return {
    url,
    async schedule(dueMs) {
      const rest = { feed: "/feed.csv", options: {}, timeZone: "UTC", madeBy: "page" } as const;
      const settings = { id: "sync", cron: toCron(dueMs), isSpread: false, ...rest };
      for (const { memory } of stores) await memory.schedules.save(settings);
    },
    async send(store, run) {
      await stores[store]?.memory.jobs.add({ kind: "apply", key: run, spec: {} });
    },
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store[Symbol.asyncDispose]();
    },
  };
}

/** The workers have a role that may make no tables. */
const GRANTS = `
  CREATE ROLE work LOGIN PASSWORD 'work';
  GRANT USAGE ON SCHEMA pgboss TO work;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO work;
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA pgboss TO work`;

async function openBoss(database: TestDatabase, isOneQueue: boolean): Promise<Queue> {
  const { url } = database;
  const boss = new PgBoss({ connectionString: url, max: 4, schedule: false, supervise: false });
  await boss.start();
  const retries = { retryLimit: 1000, retryDelay: 5, retryBackoff: true, retryDelayMax: 300 };
  const options = { ...retries, notify: true, heartbeatSeconds: 10, expireInSeconds: 86_000 };
  const names = isOneQueue ? [ONE_QUEUE] : Array.from({ length: STORES }, (_, at) => nameOf(at));
  for (const name of names) await boss.createQueue(name, options);
  await database.query(GRANTS);
  const queueOf = (at: number): string => (isOneQueue ? ONE_QUEUE : nameOf(at));
  return {
    url: url.replace(/\/\/[^@/]*@/u, "//work:work@"),
    async schedule(dueMs) {
      for (let at = 0; at < STORES; at += 1) {
        const rest = {
          tz: "UTC",
          missed: "once",
          key: nameOf(at),
          group: { id: nameOf(at) },
        } as const;
        await boss.schedule(queueOf(at), toCron(dueMs), {}, rest);
      }
    },
    async send(store, run) {
      await boss.send(queueOf(store), { run }, { group: { id: nameOf(store) } });
    },
    async [Symbol.asyncDispose]() {
      await boss.stop({ graceful: false });
      await database.query("DROP OWNED BY work; DROP ROLE work");
    },
  };
}

function toCron(atMs: number): string {
  const at = new Date(atMs);
  return `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
}

type Cost = Extract<Told, { readonly is: "cost" }>;
type Start = Extract<Told, { readonly is: "started" }>;

interface Worker {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  readonly starts: Start[];
  cost: Cost;
}

function startWorker(mode: Mode, url: string, home: string): Worker {
  const child = fork(new URL("worker.ts", import.meta.url), [mode, url, home]);
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

async function play(mode: Mode, home: string): Promise<void> {
  console.log(mode);
  await using server = await startPostgres();
  await using database = await createTestDatabase({ server: server.url });
  const isOurs = mode === "own reads" || mode === "shared reads";
  await using queue = isOurs
    ? await openOurs(database, home)
    : await openBoss(database, mode === "one queue");
  const begunMs = Date.now();
  const workers = [startWorker(mode, queue.url, home), startWorker(mode, queue.url, home)] as const;
  await Promise.all(workers.map(({ ready }) => ready));
  console.log(`  workers are ready after ${Date.now() - begunMs} ms`);
  await measureIdle(workers);
  const starts = (kind: Start["kind"]): readonly Start[] =>
    workers.flatMap((worker) => worker.starts.filter((start) => start.kind === kind));
  const sentMs = Date.now();
  for (let at = 0; at < QUEUED; at += 1) await queue.send(at, `r-${at}`);
  await measureStarts("queued runs", { begunMs: sentMs, count: QUEUED, read: () => starts("run") });
  // Our loops must have seen a schedule before it is due.
  const dueMs = Math.ceil((Date.now() + 2 * MINUTE_MS) / MINUTE_MS) * MINUTE_MS;
  await queue.schedule(dueMs);
  await wait(Math.max(0, dueMs - Date.now()));
  const before = sumOf(workers, "statements");
  await measureStarts("syncs", { begunMs: dueMs, count: STORES, read: () => starts("sync") });
  console.log(`  syncs: ${sumOf(workers, "statements") - before} statements`);
  await measureTakeOver(queue, workers);
  for (const { child } of workers) child.kill("SIGKILL");
}

async function measureTakeOver(queue: Queue, workers: readonly Worker[]): Promise<void> {
  const hasIt = ({ starts }: Worker): boolean => starts.some(({ run }) => run === ENDLESS);
  await queue.send(STORES - 1, ENDLESS);
  const sentMs = Date.now();
  while (!workers.some(hasIt) && Date.now() - sentMs < MAX_WAIT_MS) await wait(LOOK_MS);
  workers.find(hasIt)?.child.kill("SIGKILL");
  const killedMs = Date.now();
  while (!workers.every(hasIt) && Date.now() - killedMs < MAX_WAIT_MS) await wait(LOOK_MS);
  console.log(`  a job of a killed worker starts again after ${Date.now() - killedMs} ms`);
}

const chosen = MODES.filter((mode) => process.argv[2] === undefined || mode === process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "catalog-queue-"));
for (const mode of chosen) await play(mode, folder);
rmSync(folder, { recursive: true, force: true });
