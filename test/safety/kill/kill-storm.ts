/** Marketplaces in which the program is killed, and the number of its homes. */

import { setTimeout as wait } from "node:timers/promises";

import type { Fault, SandboxOptions } from "@catalog/sandbox";

import { createRandom, type Random } from "../simulation/world/random.ts";
import type { Orders } from "./child-orders.ts";
import {
  compareCommonStates,
  compareStates,
  type Comparison,
  finishRun,
  type KillHome,
  type KillScenario,
  nextCommand,
  openKillScenario,
} from "./kill-scenario.ts";

export interface KillMix {
  readonly name: string;
  readonly faults: readonly Fault[];
  readonly behavior?: SandboxOptions["personality"];
  readonly isTwice?: boolean;
  readonly isRestored?: boolean;
  /**
   * Whether duplicates are possible: two homes, or a home and its copy, know of each other only
   * through the store.
   */
  readonly mayDouble?: boolean;
}

/** 40 % of the adds get a wrong answer, most of them although they were carried out. */
export const BAD_ANSWERS: readonly Fault[] = [
  { kind: "reset-after", endpoint: "product.add", rate: 0.1 },
  { kind: "error-after", endpoint: "product.add", rate: 0.1 },
  { kind: "truncated-with-length", endpoint: "product.add", rate: 0.06 },
  { kind: "truncated-without-length", endpoint: "product.add", rate: 0.05 },
  { kind: "html", endpoint: "product.add", rate: 0.05 },
  { kind: "error-before", endpoint: "product.add", rate: 0.05 },
  { kind: "reset-before", endpoint: "product.add", rate: 0.05 },
  { kind: "latency", endpoint: "product.add", rate: 0.5, ms: 15 },
];

/** One add in seven is refused although it was carried out. */
const REFUSED_AFTER: readonly Fault[] = [
  { kind: "refused-after", endpoint: "product.add", rate: 0.03, status: 422 },
  { kind: "refused-after", endpoint: "product.add", rate: 0.03, status: 401 },
  { kind: "refused-after", endpoint: "product.add", rate: 0.02, status: 404 },
  { kind: "refused-after", endpoint: "product.add", rate: 0.03, status: 200 },
  { kind: "refused-after", endpoint: "product.add", rate: 0.02, status: 409 },
  { kind: "refused-after", endpoint: "product.add", rate: 0.01, status: 429, ms: 1_000 },
];

const ALL: readonly Fault[] = [...REFUSED_AFTER, ...BAD_ANSWERS];

export const KILL_MIXES: readonly KillMix[] = [
  { name: "refusals after the effect", faults: ALL },
  {
    name: "refusals after the effect, nothing shown",
    faults: ALL,
    behavior: { "new-product": "after-approval" },
  },
  {
    name: "pages of 20, no total",
    faults: BAD_ANSWERS,
    behavior: { "page-cap": "20", total: "zero" },
  },
  {
    name: "pages of 20 counted as asked, half a total",
    faults: ALL,
    behavior: { "page-cap": "20-of-asked", total: "half" },
  },
  {
    name: "filters that find nothing",
    faults: ALL,
    behavior: { "code-filter": "useless", "ids-filter": "useless", "date-filter": "useless" },
  },
  { name: "codes in capitals", faults: ALL, behavior: { "stored-code": "upper-cased" } },
  { name: "no date", faults: ALL, behavior: { "date-header": "missing" } },
  { name: "two homes", faults: BAD_ANSWERS, isTwice: true, mayDouble: true },
  {
    name: "two homes, shown ten minutes later",
    faults: ALL,
    behavior: { "new-product": "after-delay" },
    isTwice: true,
    mayDouble: true,
  },
  { name: "copies put back", faults: ALL, isRestored: true },
  {
    name: "copies put back, nothing shown",
    faults: ALL,
    behavior: { "new-product": "after-approval" },
    isRestored: true,
  },
  {
    name: "copies put back, shown ten minutes later",
    faults: ALL,
    behavior: { "new-product": "after-delay" },
    isRestored: true,
    mayDouble: true,
  },
];

/*
 * An import that is killed at random, often as two processes at once, in a marketplace with wrong
 * answers.
 */

interface KillStormOptions {
  readonly rows: number;
  readonly kills: number;
  readonly seed: number;
  readonly orders?: Orders;
  /**
   * Behavior of the marketplace. @default {@link BAD_ANSWERS} in a store that shows what is added
   */
  readonly store?: Pick<KillMix, "faults" | "behavior">;
  /** Whether a second machine with its own home imports the same file. @default false */
  readonly isTwice?: boolean;
  /** Whether an older copy sometimes replaces a home. @default false */
  readonly isRestored?: boolean;
  readonly onProgress?: (kills: number) => void;
}

export interface KillStormResult extends Comparison {
  readonly kills: number;
  readonly starts: number;
  /** Starts that were refused because another process held the lock. */
  readonly busy: number;
  /** Homes that were replaced by a copy. */
  readonly restored: number;
  /** Exit codes of the starts after the last kill. */
  readonly codes: readonly (number | null)[];
}

export async function playKillStorm(options: KillStormOptions): Promise<KillStormResult> {
  const { rows, seed, store = { faults: BAD_ANSWERS } } = options;
  await using shop = await openKillScenario({ rows, ...store, seed: `storm ${seed}` });
  const { isTwice = false } = options;
  const homes: readonly [KillHome, ...KillHome[]] = isTwice ? [shop, shop.second] : [shop];
  const counts = await killAll(shop, homes, options);
  await shop.calm();
  const codes: (number | null)[] = [];
  for (const home of homes) codes.push(...(await finishRun(home)));
  const isPlain = options.store === undefined;
  const account = isPlain ? compareStates(shop, rows) : compareCommonStates(shop, homes, rows);
  return { ...counts, codes, ...account };
}

async function killAll(
  scenario: KillScenario,
  homes: readonly [KillHome, ...KillHome[]],
  options: KillStormOptions,
): Promise<KillRun["counts"]> {
  const { seed, orders = {} } = options;
  const random = createRandom(seed);
  const counts = { kills: 0, starts: 0, busy: 0, restored: 0 };
  while (counts.kills < options.kills) {
    const home = random.pick(homes);
    if (options.isRestored === true) putBack({ home, random, counts });
    const killed = await startAndKill({ scenario, home, random, orders, counts }, options);
    // Runs that have ended cannot be killed any more.
    if (!killed && homes.every(isOver)) break;
    options.onProgress?.(counts.kills);
  }
  return counts;
}

/** Copies are made and restored while no process runs there. */
function putBack({ home, random, counts }: Pick<KillRun, "home" | "random" | "counts">): void {
  if (random.chance(0.15)) home.copyHome();
  if (random.chance(0.15) && home.restoreHome()) counts.restored += 1;
}

/** Adds between two kills, few enough that the run does not end before the last kill. */
const ADDS_SHARE = 0.9;

/** Share of starts that run twice at once. */
const DOUBLE_SHARE = 0.3;

interface KillRun {
  readonly scenario: KillScenario;
  /** Where the program is started. */
  readonly home: KillHome;
  readonly random: Random;
  readonly orders: Orders;
  readonly counts: { kills: number; starts: number; busy: number; restored: number };
}

/** Returns whether the process was still running when it was killed. */
async function startAndKill(storm: KillRun, options: KillStormOptions): Promise<boolean> {
  const { scenario, home, random, orders, counts } = storm;
  const command = nextCommand(home);
  const isDouble = random.chance(DOUBLE_SHARE);
  const first = home.start(orders, ...command);
  const second = isDouble ? home.start(orders, ...command) : undefined;
  counts.starts += isDouble ? 2 : 1;
  const sent = scenario.sandbox.stats().adds;
  const max = random.between(0, Math.ceil((ADDS_SHARE * options.rows) / options.kills));
  const isGone = (): boolean => first.child.exitCode !== null || first.child.signalCode !== null;
  while (!isGone() && scenario.sandbox.stats().adds < sent + max) await wait(2);
  // Kills between two adds, too, and not only at an add.
  if (max > 0) await wait(random.below(12));
  const ends = await Promise.all(
    [first, second].map(async (one) => {
      one?.child.kill("SIGKILL");
      return await one?.finished;
    }),
  );
  counts.busy += ends.filter((end) => end?.code === 75).length;
  const killed = ends.filter((end) => end?.signal === "SIGKILL").length;
  counts.kills += killed;
  return killed > 0;
}

function isOver(home: KillHome): boolean {
  const open = new Set(["parsed", "ready", "sending", "ambiguous"]);
  const rows = home.read()?.rows ?? [];
  return rows.length > 0 && !rows.some(({ state }) => open.has(state));
}
