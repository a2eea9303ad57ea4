/**
 * Row 25: queued imports of 20 stores, sent by one worker and by two. Each store has a marketplace
 * of its own, in the process of the benchmark.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { systemClock } from "@catalog/clock";
import { type Connection, openConnection } from "@catalog/connection";
import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import { planFile } from "@catalog/importer";
import { type Sandbox, startSandbox } from "@catalog/sandbox";

import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
import { type Bench, type Figure, median, seconds, sized, startCommand } from "../bench-tools.ts";

const STORES = 20;
const LATENCY_MS = 400;

/** Runs that a worker sends at a time; they divide the stores of one worker and those of two. */
const MAX_COMMANDS = 5;

interface Played {
  readonly ms: number;
  readonly adds: number;
  /** Codes that a marketplace has twice. */
  readonly doubles: number;
}

export async function measureWorkers(bench: Bench): Promise<readonly Figure[]> {
  if (!hasPostgres()) throw new Error("there is no PostgreSQL");
  const rows = sized(bench, 300);
  const played: Readonly<Record<1 | 2, Played[]>> = { 1: [], 2: [] };
  for (let round = 0; round < bench.rounds; round += 1) {
    for (const workers of [1, 2] as const) {
      const folder = join(bench.folder, `workers-${round}-${workers}`);
      mkdirSync(folder);
      played[workers].push(await play(bench, { folder, rows, workers }));
    }
  }
  const [one, two] = [played[1], played[2]].map((all) => median(all.map(({ ms }) => ms)));
  const what = `${STORES} stores of ${rows} rows each, two workers`;
  const doubles = [...played[1], ...played[2]].reduce((sum, now) => sum + now.doubles, 0);
  return [
    {
      row: 25,
      what,
      ours: seconds(two ?? Number.NaN),
      peer: `one worker ${seconds(one ?? Number.NaN)}; ${MAX_COMMANDS} runs at a time each, ${LATENCY_MS} ms a call`,
      value: (two ?? Number.NaN) / (one ?? Number.NaN),
      limit: 0.6,
      unit: "x",
    },
    {
      row: 25,
      what: `${what}, doubles`,
      ours: "",
      peer: "",
      value: doubles,
      limit: 0,
      unit: "calls",
    },
  ];
}

interface Game {
  readonly folder: string;
  readonly rows: number;
  readonly workers: 1 | 2;
}

async function play(bench: Bench, { folder, rows, workers }: Game): Promise<Played> {
  await using server = await createTestDatabase();
  await using opened = new AsyncDisposableStack();
  const file = await writeWorkbook(folder, "products.xlsx", goodRows(rows));
  const shops: Sandbox[] = [];
  for (let at = 0; at < STORES; at += 1) {
    const shop = await startSandbox({ latencyMs: LATENCY_MS });
    opened.defer(() => shop.close());
    shops.push(shop);
  }
  const home = join(folder, "home");
  await Promise.all(
    shops.map((shop) => queueImport(shop, { file, home, databaseUrl: server.url })),
  );
  const list = writeStores(folder, shops);
  const begunMs = performance.now();
  const started = Array.from({ length: workers }, (_, at) => {
    const words = ["worker", "--json", "--stores", list, `--max-commands=${MAX_COMMANDS}`];
    const [program, args, options] = startCommand(bench, words);
    const own = { CATALOG_HOME: join(folder, `worker-${at}`), CATALOG_DATABASE_URL: server.url };
    return spawn(program, args, {
      env: { ...options.env, ...own },
      stdio: ["ignore", "pipe", "inherit"],
    });
  });
  await untilEnded(started, STORES);
  const ms = performance.now() - begunMs;
  await Promise.all(started.map(stopWorker));
  const codes = shops.map((shop) => shop.products().map(({ product_code }) => product_code));
  const adds = codes.reduce((sum, all) => sum + all.length, 0);
  const doubles = adds - codes.reduce((sum, all) => sum + new Set(all).size, 0);
  return { ms, adds, doubles };
}

interface QueuedImport {
  readonly file: string;
  readonly home: string;
  readonly databaseUrl: string;
}

async function queueImport(
  shop: Sandbox,
  { file, home, databaseUrl }: QueuedImport,
): Promise<void> {
  await using connection: Connection = await openConnection({
    home,
    databaseUrl,
    baseUrl: shop.baseUrl,
    storeId: shop.storeId,
    credentials: { clientKey: shop.clientKey, clientSecret: shop.clientSecret },
    clock: systemClock,
    random: Math.random,
  });
  const how = { command: "import", lang: "tr", mode: "upsert", reportDir: home } as const;
  const run = await planFile(connection, { path: file, ...how });
  await connection.memory.jobs.add({ kind: "apply", key: run.id, spec: {} });
}

function writeStores(folder: string, shops: readonly Sandbox[]): string {
  const path = join(folder, "stores.json");
  const stores = shops.map(({ baseUrl, clientKey, clientSecret, storeId }) => {
    return { baseUrl, clientKey, clientSecret, storeId };
  });
  writeFileSync(path, JSON.stringify(stores), { mode: 0o600 });
  return path;
}

/** Waits until the workers together have told so many ends; throws where one was no success. */
async function untilEnded(workers: readonly ChildProcess[], count: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let ended = 0;
  for (const { stdout } of workers) {
    if (stdout === null) throw new Error("a worker tells nothing");
    createInterface({ input: stdout }).on("line", (line) => {
      const { event, exit }: { readonly event: string; readonly exit?: number } = JSON.parse(line);
      if (event !== "ended") return;
      if (exit !== 0) reject(new Error(line));
      ended += 1;
      if (ended === count) resolve();
    });
  }
  await promise;
}

async function stopWorker(worker: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.once("exit", () => resolve());
  worker.kill("SIGTERM");
  await promise;
}
