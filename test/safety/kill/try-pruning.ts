/** Runs that grow old, and a pruning of them that dies at named points. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { ageRuns } from "../../helpers/age-runs.ts";
import { goodRow, writeCsv } from "../../helpers/product-sheet.ts";
import type { CrashPoint } from "./crash-points.ts";
import { compareStates, FLAGS, type KillScenario, openKillScenario } from "./kill-scenario.ts";

export interface TriedPruning {
  /** Points that were reached and killed the process. */
  readonly deaths: readonly string[];
  /** The list of runs before the first and after the last pruning. */
  readonly listed: readonly [before: unknown, after: unknown];
  /** Runs of which `report` tells that their rows were deleted. */
  readonly pruned: number;
  /** Requests that two imports of the first file again have sent. */
  readonly sentAgain: number;
  /** Deviations of the marketplace from what the newest run says. */
  readonly wrong: readonly string[];
  /** What SQLite finds wrong with the file. */
  readonly damage: readonly unknown[];
}

const ROWS = 24;

export interface PruningOrders {
  readonly archivePoints: readonly CrashPoint[];
  readonly prunePoints: readonly CrashPoint[];
}

/** Each start dies at the next of the points; the last one of each stage ends. */
export async function tryPruning(orders: PruningOrders): Promise<TriedPruning> {
  await using shop = await openKillScenario({ rows: ROWS, faults: [] });
  await importThreeTimes(shop);
  ageRuns(shop.home, 10);
  const before = await listRuns(shop);
  const archive = ["runs", "prune", "--older-than", "90d", "--json"];
  const prune = ["runs", "prune", "--older-than", "5d", "--json"];
  const deaths = [
    ...(await startAndDie(shop, archive, orders.archivePoints)),
    ...(await startAndDie(shop, prune, orders.prunePoints)),
  ];
  const after = await listRuns(shop);
  const requests = countWrites(shop);
  await shop.run("import", shop.file, "--yes", ...FLAGS);
  await shop.run("import", shop.file, "--yes", ...FLAGS);
  return {
    deaths,
    listed: [before, after],
    pruned: await countPruned(shop, before),
    // The first of them puts the stock of each product back, and the second finds it there.
    sentAgain: countWrites(shop) - requests,
    wrong: compareStates(shop, ROWS).wrong.filter((text) => !text.includes("is unchanged")),
    damage: checkFile(shop.home),
  };
}

/** Adds the products, and sets their stock twice. */
async function importThreeTimes(shop: KillScenario): Promise<void> {
  await shop.run("import", shop.file, "--yes", ...FLAGS);
  for (const stock of [500, 501]) {
    const rows = Array.from({ length: ROWS }, (_, at) => goodRow(at + 1, { "Stok *": stock }));
    const file = writeCsv(shop.folder, `stok-${stock}.csv`, rows);
    await shop.run("import", file, "--yes", ...FLAGS);
  }
}

async function startAndDie(
  shop: KillScenario,
  command: readonly string[],
  points: readonly CrashPoint[],
): Promise<readonly string[]> {
  const deaths: string[] = [];
  for (const { name } of points) {
    const { signal } = await shop.start({ crash: { point: name, nth: 1 } }, ...command).finished;
    if (signal === "SIGKILL") deaths.push(name);
  }
  const { code, err } = await shop.start({}, ...command).finished;
  if (code !== 0) throw new Error(`${command.join(" ")} ends with ${code}: ${err}`);
  return deaths;
}

interface ListedRun {
  readonly run: string;
  /** Only of a run whose rows were deleted. */
  pruned?: string;
}

/** What `catalog runs` tells of each run, except that its rows were deleted. */
async function listRuns(shop: KillScenario): Promise<readonly ListedRun[]> {
  const { out } = await shop.run("runs", "--json");
  const { runs }: { readonly runs: readonly ListedRun[] } = JSON.parse(out);
  for (const run of runs) delete run.pruned;
  return runs;
}

async function countPruned(shop: KillScenario, runs: readonly ListedRun[]): Promise<number> {
  let pruned = 0;
  for (const { run } of runs) {
    const { code, out } = await shop.run("report", run, "--json");
    if (code === 2 && JSON.parse(out).error.code === "E_RUN_PRUNED") pruned += 1;
  }
  return pruned;
}

function countWrites({ sandbox }: KillScenario): number {
  const { byEndpoint } = sandbox.stats();
  return (byEndpoint["product.add"] ?? 0) + (byEndpoint["product.update"] ?? 0);
}

function checkFile(home: string): readonly unknown[] {
  using database = new DatabaseSync(join(home, "catalog.db"));
  const [check] = database.prepare("PRAGMA integrity_check").all();
  return [check?.["integrity_check"], ...database.prepare("PRAGMA foreign_key_check").all()];
}
