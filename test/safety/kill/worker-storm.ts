/**
 * A queued import that two workers send on one PostgreSQL database, while they are killed at random
 * with what they have started, each time replaced by a new one.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { createTestDatabase } from "@catalog/database/testing";
import { startSandbox, type Sandbox } from "@catalog/sandbox";

import { type CatalogProcess, startCatalog } from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
import { createRandom, type Random } from "../simulation/world/random.ts";

export interface WorkerStormOptions {
  readonly rows: number;
  readonly kills: number;
  readonly seed: number;
  readonly onProgress?: (kills: number) => void;
}

export interface WorkerStormResult {
  readonly kills: number;
  /** Products of the marketplace. */
  readonly products: number;
  readonly doubles: number;
  /** Exit code of the command that has queued the import, and the counts of its rows. */
  readonly exit: number | null;
  readonly counts: Readonly<Record<string, number>>;
  /** Longest time between two adds, in milliseconds. */
  readonly maxPauseMs: number;
}

interface Storm {
  readonly sandbox: Sandbox;
  readonly random: Random;
  readonly start: (home: string, ...args: readonly string[]) => CatalogProcess;
}

interface Worker {
  readonly home: string;
  readonly process: CatalogProcess;
  /** Processes that it has told to have started. */
  readonly children: Set<number>;
}

export async function playWorkerStorm(options: WorkerStormOptions): Promise<WorkerStormResult> {
  const { rows, seed } = options;
  const folder = mkdtempSync(join(tmpdir(), "catalog-storm-"));
  await using server = await createTestDatabase();
  const sandbox = await startSandbox({ latencyMs: 5 });
  try {
    const file = await writeWorkbook(folder, "products.xlsx", goodRows(rows));
    const credentials = {
      CATALOG_BASE_URL: sandbox.baseUrl,
      CATALOG_CLIENT_KEY: sandbox.clientKey,
      CATALOG_CLIENT_SECRET: sandbox.clientSecret,
      CATALOG_STORE_ID: sandbox.storeId,
      CATALOG_DATABASE_URL: server.url,
    };
    const start: Storm["start"] = (home, ...args) =>
      startCatalog(args, {
        env: { ...credentials, CATALOG_HOME: `${folder}/${home}` },
        cwd: folder,
      });
    const storm = { sandbox, random: createRandom(seed), start };
    const asked = start("asked", "import", file, "--queue", "--yes", "--json");
    const { kills, maxPauseMs } = await killAll(storm, options, asked);
    const { code, out } = await asked.finished;
    const { counts }: Pick<WorkerStormResult, "counts"> = JSON.parse(out);
    const codes = sandbox.products().map(({ product_code }) => product_code);
    const doubles = codes.length - new Set(codes).size;
    return { kills, products: codes.length, doubles, exit: code, counts, maxPauseMs };
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Kills one of two workers after a random number of adds, and starts another in its home. */
async function killAll(
  { sandbox, random, start }: Storm,
  { rows, kills: wanted, onProgress }: WorkerStormOptions,
  asked: CatalogProcess,
): Promise<Pick<WorkerStormResult, "kills" | "maxPauseMs">> {
  const workers = new Map(["one", "two"].map((home) => [home, startWorker(start, home)]));
  let [lastAdds, lastMs, maxPauseMs] = [0, Infinity, 0];
  /** Waits for so many adds more; `false` where the import has ended before. */
  const untilAdds = async (count: number): Promise<boolean> => {
    const before = sandbox.stats().adds;
    while (asked.child.exitCode === null && sandbox.stats().adds < before + count) {
      await wait(2);
      if (sandbox.stats().adds === lastAdds) continue;
      maxPauseMs = Math.max(maxPauseMs, performance.now() - lastMs);
      [lastAdds, lastMs] = [sandbox.stats().adds, performance.now()];
    }
    return asked.child.exitCode === null;
  };
  const maxAdds = Math.max(1, Math.floor((ADDS_SHARE * 2 * rows) / wanted));
  let kills = 0;
  while (kills < wanted && (await untilAdds(random.between(1, maxAdds)))) {
    const home = random.pick(["one", "two"]);
    const victim = workers.get(home);
    if (victim !== undefined) await kill(victim);
    kills += 1;
    workers.set(home, startWorker(start, home));
    onProgress?.(kills);
  }
  await asked.finished;
  for (const worker of workers.values()) await kill(worker);
  return { kills, maxPauseMs };
}

/** Share of the rows that are added between kills, so that the import does not end before the last. */
const ADDS_SHARE = 0.9;

function startWorker(start: Storm["start"], home: string): Worker {
  const process = start(home, "worker", "--kinds", "apply", "--json");
  const children = new Set<number>();
  let text = "";
  process.child.stdout?.on("data", (chunk) => {
    const lines = (text + String(chunk)).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const { event, pid }: { readonly event: string; readonly pid?: number } = JSON.parse(line);
      if (event === "started" && pid !== undefined) children.add(pid);
      else children.clear();
    }
  });
  return { home, process, children };
}

/** Kills the worker and what it has started, as when a machine loses its power. */
async function kill({ process: { child, finished }, children }: Worker): Promise<void> {
  child.kill("SIGKILL");
  await finished;
  for (const pid of children) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }
}
