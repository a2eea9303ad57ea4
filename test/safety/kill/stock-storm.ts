/**
 * Imports whose prices are held while their stock is sent apart, killed at random. Each round sets
 * another stock and another price, and its prices are released at its end.
 */

import { setTimeout as wait } from "node:timers/promises";

import type { Fault } from "@catalog/sandbox";

import { goodRow, type ProductRow, writeCsv } from "../../helpers/product-sheet.ts";
import { createRandom, type Random } from "../simulation/world/random.ts";
import { FLAGS, type KillScenario, openKillScenario, type StoredRun } from "./kill-scenario.ts";

export interface StockStormOptions {
  readonly rows: number;
  readonly kills: number;
  /** Kills of one round while stocks are sent. @default 8 */
  readonly stockKills?: number;
  readonly seed: number;
  readonly onProgress?: (kills: number) => void;
}

export interface StockStormResult {
  /** Deviations, in words; empty without any. */
  readonly wrong: readonly string[];
  readonly kills: number;
  /** Kills while the stocks of held rows were sent, and while their released prices were. */
  readonly killedStocks: number;
  readonly killedPrices: number;
  readonly starts: number;
  readonly rounds: number;
  /** Products beyond one for each code. */
  readonly doubles: number;
  /** Updates that changed a product: two for each row and round, of the stock and of the price. */
  readonly updates: number;
}

/** One update in three gets a wrong answer, most of them although they were carried out. */
const BAD_UPDATES: readonly Fault[] = [
  { kind: "reset-after", endpoint: "product.update", rate: 0.08 },
  { kind: "error-after", endpoint: "product.update", rate: 0.08 },
  { kind: "truncated-with-length", endpoint: "product.update", rate: 0.05 },
  { kind: "error-before", endpoint: "product.update", rate: 0.05 },
  { kind: "reset-before", endpoint: "product.update", rate: 0.05 },
  { kind: "latency", endpoint: "product.update", rate: 0.5, ms: 15 },
];

/** Stock of the first round; each has another one, so that a lost stock is seen. */
const FIRST_STOCK = 200;

/** Kills of one round while prices are sent. */
const PRICE_KILLS = 2;

export async function playStockStorm(options: StockStormOptions): Promise<StockStormResult> {
  const { rows, seed, kills } = options;
  await using shop = await openKillScenario({ rows, faults: BAD_UPDATES, seed: `stock ${seed}` });
  await shop.run("import", shop.file, "--yes", ...FLAGS);
  const random = createRandom(seed);
  const counts = { kills: 0, killedStocks: 0, killedPrices: 0, starts: 0, rounds: 0 };
  const storm = { shop, random, options, counts };
  const wrong: string[] = [];
  while (counts.kills < kills) {
    const before = counts.kills;
    wrong.push(...(await playRound(storm)));
    // A storm whose processes all end before they are killed would never end.
    if (counts.kills === before) wrong.push(`round ${counts.rounds}: nothing was killed`);
    if (counts.kills === before) break;
  }
  const { updates } = shop.sandbox.stats();
  const expected = 2 * rows * counts.rounds;
  if (updates !== expected) wrong.push(`${updates} and not ${expected} updates changed a product`);
  return { ...counts, wrong, updates, doubles: shop.sandbox.products().length - rows };
}

interface Storm {
  readonly shop: KillScenario;
  readonly random: Random;
  readonly options: StockStormOptions;
  readonly counts: {
    kills: number;
    killedStocks: number;
    killedPrices: number;
    starts: number;
    rounds: number;
  };
}

/** Prices rise far in one round, and fall as far in the next. */
async function playRound(storm: Storm): Promise<readonly string[]> {
  const { shop, options, counts } = storm;
  counts.rounds += 1;
  const stock = FIRST_STOCK + counts.rounds;
  const divisor = counts.rounds % 2 === 1 ? 1 : 5;
  const before = priceByCode(shop);
  const rows = Array.from({ length: options.rows }, (_, at): ProductRow => {
    const good = goodRow(at + 1);
    return { ...good, "Stok *": stock, "Fiyat *": ((20 + at) * 5) / divisor };
  });
  const file = writeCsv(shop.folder, `stok-${stock}.csv`, rows);
  const last = shop.read()?.runId;
  const importIt = ["import", file, "--yes", ...FLAGS];
  const next = (): readonly string[] => {
    const run = shop.read();
    return run === undefined || run.runId === last ? importIt : ["resume", run.runId, ...FLAGS];
  };
  counts.killedStocks += await killSome(storm, options.stockKills ?? 8, next);
  await finish(storm, next);
  const held = compare(shop, {
    stock,
    state: "held",
    isPrice: (code, now) => now === before.get(code),
  });
  const { runId = "" } = shop.read() ?? {};
  const all = `2-${options.rows + 1}`;
  const release = ["release", runId, "--rows", all, "--resend", "--yes", ...FLAGS];
  // What was released before the kill is sent by the same command or by a resume.
  const releaseRest = (): readonly string[] =>
    shop.read()?.rows.every(({ state }) => state === "held") === true
      ? release
      : ["resume", runId, ...FLAGS];
  counts.killedPrices += await killSome(storm, PRICE_KILLS, releaseRest);
  await finish(storm, releaseRest);
  const done = compare(shop, {
    stock,
    state: "done",
    isPrice: (code, now) => now !== before.get(code),
  });
  return [...held, ...done].map((text) => `round ${counts.rounds}: ${text}`);
}

const priceByCode = ({ sandbox }: KillScenario): ReadonlyMap<string, number> =>
  new Map(sandbox.products().map(({ product_code: code, price }) => [code, price]));

/** Kills after a random number of updates, also before the first one. Returns how often it killed. */
async function killSome(
  { shop, random, options, counts }: Storm,
  times: number,
  next: () => readonly string[],
): Promise<number> {
  let killed = 0;
  for (let start = 0; start < times && counts.kills < options.kills; start += 1) {
    const running = shop.start({}, ...next());
    counts.starts += 1;
    const sent = shop.sandbox.stats().updates;
    const max = random.between(0, Math.ceil(options.rows / times));
    const { child } = running;
    const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
    while (!isGone() && shop.sandbox.stats().updates < sent + max) await wait(2);
    await wait(random.below(12));
    child.kill("SIGKILL");
    const { signal } = await running.finished;
    if (signal !== "SIGKILL") break;
    killed += 1;
    counts.kills += 1;
    options.onProgress?.(counts.kills);
  }
  return killed;
}

const MAX_STARTS = 20;

/** Starts the program until a run has ended. */
async function finish({ shop, counts }: Storm, next: () => readonly string[]): Promise<void> {
  for (let start = 0; start < MAX_STARTS; start += 1) {
    const { code } = await shop.start({}, ...next()).finished;
    counts.starts += 1;
    if (code === 0 || code === 5) return;
  }
}

interface Expected {
  readonly stock: number;
  readonly state: StoredRun["rows"][number]["state"];
  readonly isPrice: (code: string, price: number) => boolean;
}

function compare(shop: KillScenario, { stock, state, isPrice }: Expected): readonly string[] {
  const products = Map.groupBy(shop.sandbox.products(), ({ product_code: code }) => code);
  const stored = shop.read()?.rows ?? [];
  const rows = stored.flatMap((row) => {
    const [product, ...others] = products.get(row.code) ?? [];
    const isRight =
      row.state === state &&
      others.length === 0 &&
      product?.stock_count === stock &&
      isPrice(row.code, product.price);
    const what = `stock ${product?.stock_count}, price ${product?.price}, ${others.length} others`;
    return isRight ? [] : [`${row.code} is ${row.state} and not ${state}, or has ${what}`];
  });
  const isWhole = stored.length === products.size;
  return isWhole ? rows : [...rows, `${stored.length} of ${products.size} rows are stored`];
}
