/**
 * An import that is killed at random, often as two processes at once, in a marketplace with wrong
 * answers.
 */

import { setTimeout as wait } from "node:timers/promises";

import { createRandom, type Random } from "../simulation/world/random.ts";
import { type Account, nextCommand, settleRun, takeAccount, takeCommonAccount } from "./account.ts";
import { type Orders } from "./child-orders.ts";
import { BAD_ANSWERS, type KillMix } from "./kill-mixes.ts";
import { type KillDesk, type KillShop, openKillShop } from "./kill-scenario.ts";

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
  readonly store?: Pick<KillMix, "faults" | "personality">;
  /** Whether a second machine with its own home imports the same file. @default false */
  readonly isTwice?: boolean;
  /** Whether an older copy sometimes replaces a home. @default false */
  readonly isRestored?: boolean;
  readonly onProgress?: (kills: number) => void;
}

export interface KillStormResult extends Account {
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
  await using shop = await openKillShop({ rows, ...store, seed: `storm ${seed}` });
  const { isTwice = false } = options;
  const desks: readonly [KillDesk, ...KillDesk[]] = isTwice ? [shop, shop.second] : [shop];
  const tally = await killAll(shop, desks, options);
  await shop.calm();
  const codes: (number | null)[] = [];
  for (const desk of desks) codes.push(...(await settleRun(desk)));
  const isPlain = options.store === undefined;
  const account = isPlain ? takeAccount(shop, rows) : takeCommonAccount(shop, desks, rows);
  return { ...tally, codes, ...account };
}

async function killAll(
  shop: KillShop,
  desks: readonly [KillDesk, ...KillDesk[]],
  options: KillStormOptions,
): Promise<Storm["tally"]> {
  const { seed, orders = {} } = options;
  const random = createRandom(seed);
  const tally = { kills: 0, starts: 0, busy: 0, restored: 0 };
  while (tally.kills < options.kills) {
    const desk = random.pick(desks);
    if (options.isRestored === true) putBack({ desk, random, tally });
    const killed = await startAndKill({ shop, desk, random, orders, tally }, options);
    // Runs that have ended cannot be killed any more.
    if (!killed && desks.every(isOver)) break;
    options.onProgress?.(tally.kills);
  }
  return tally;
}

/** Copies are made and restored while no process runs there. */
function putBack({ desk, random, tally }: Pick<Storm, "desk" | "random" | "tally">): void {
  if (random.chance(0.15)) desk.copyHome();
  if (random.chance(0.15) && desk.restoreHome()) tally.restored += 1;
}

/** Adds between two kills, few enough that the run does not end before the last kill. */
const ADDS_SHARE = 0.9;

interface Storm {
  readonly shop: KillShop;
  /** Where the program is started. */
  readonly desk: KillDesk;
  readonly random: Random;
  readonly orders: Orders;
  readonly tally: { kills: number; starts: number; busy: number; restored: number };
}

/** Returns whether the process was still running when it was killed. */
async function startAndKill(storm: Storm, options: KillStormOptions): Promise<boolean> {
  const { shop, desk, random, orders, tally } = storm;
  const { doubleShare = 0.3 } = options;
  const command = nextCommand(desk);
  const isDouble = random.chance(doubleShare);
  const first = desk.start(orders, ...command);
  const second = isDouble ? desk.start(orders, ...command) : undefined;
  tally.starts += isDouble ? 2 : 1;
  const sent = shop.sandbox.stats().adds;
  const most = random.between(0, Math.ceil((ADDS_SHARE * options.rows) / options.kills));
  const isGone = (): boolean => first.child.exitCode !== null || first.child.signalCode !== null;
  while (!isGone() && shop.sandbox.stats().adds < sent + most) await wait(2);
  // Kills between two adds, too, and not only at an add.
  if (most > 0) await wait(random.below(12));
  const ends = await Promise.all(
    [first, second].map(async (one) => {
      one?.child.kill("SIGKILL");
      return await one?.finished;
    }),
  );
  tally.busy += ends.filter((end) => end?.code === 75).length;
  const killed = ends.filter((end) => end?.signal === "SIGKILL").length;
  tally.kills += killed;
  return killed > 0;
}

function isOver(desk: KillDesk): boolean {
  const open = new Set(["parsed", "ready", "sending", "ambiguous"]);
  const rows = desk.read()?.rows ?? [];
  return rows.length > 0 && !rows.some(({ state }) => open.has(state));
}
