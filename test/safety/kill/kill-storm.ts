/**
 * An import that is killed at random, often as two processes at once, in a marketplace with wrong
 * answers.
 */

import { setTimeout as wait } from "node:timers/promises";

import { createRandom, type Random } from "../simulation/world/random.ts";
import {
  type Comparison,
  nextCommand,
  finishRun,
  compareStates,
  compareCommonStates,
} from "./account.ts";
import type { Orders } from "./child-orders.ts";
import { BAD_ANSWERS, type KillMix } from "./kill-mixes.ts";
import { type KillHome, type KillScenario, openKillScenario } from "./kill-scenario.ts";
import type { VariantExport } from "./variant-export.ts";

export interface KillStormOptions {
  readonly rows: number;
  readonly kills: number;
  readonly seed: number;
  /** Share of starts that run twice at once. @default 0.3 */
  readonly doubleShare?: number;
  readonly orders?: Orders;
  /**
   * Behavior of the marketplace. @default {@link BAD_ANSWERS} in a store that shows what is added
   */
  readonly store?: Pick<KillMix, "faults" | "behavior">;
  /** File of the import, with as many rows, and a check of its products. @default products */
  readonly file?: Pick<VariantExport, "write" | "compare">;
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
  const write = options.file?.write;
  await using shop = await openKillScenario({ rows, ...store, seed: `storm ${seed}`, write });
  const { isTwice = false } = options;
  const homes: readonly [KillHome, ...KillHome[]] = isTwice ? [shop, shop.second] : [shop];
  const counts = await killAll(shop, homes, options);
  await shop.calm();
  const codes: (number | null)[] = [];
  for (const home of homes) codes.push(...(await finishRun(home)));
  const isPlain = options.store === undefined;
  const account = isPlain ? compareStates(shop, rows) : compareCommonStates(shop, homes, rows);
  const otherwise = options.file?.compare(shop.sandbox) ?? [];
  return { ...counts, codes, ...account, wrong: [...account.wrong, ...otherwise] };
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
  const { doubleShare = 0.3 } = options;
  const command = nextCommand(home);
  const isDouble = random.chance(doubleShare);
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
