/** An import that is killed at random, often twice at once, in a marketplace that answers badly. */

import { setTimeout as wait } from "node:timers/promises";

import { type Fault } from "@catalog/sandbox";

import { createRandom, type Random } from "../simulation/random.ts";
import { type Account, nextCommand, settleRun, takeAccount } from "./account.ts";
import { type KillShop, openKillShop } from "./kill-shop.ts";
import { type Orders } from "./orders.ts";

export interface KillStormOptions {
  readonly rows: number;
  readonly kills: number;
  readonly seed: number;
  /** Share of starts beside which the same is started a second time. @default 0.3 */
  readonly doubleShare?: number;
  readonly orders?: Orders;
  readonly onProgress?: (kills: number) => void;
}

export interface KillStormResult extends Account {
  readonly kills: number;
  readonly starts: number;
  /** Starts that were sent away because another process was there. */
  readonly busy: number;
  /** Exit codes of the starts after the last kill. */
  readonly codes: readonly (number | null)[];
}

/** 40 % of the adds are not answered as they should be, most of them although they were carried out. */
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

export async function playKillStorm(options: KillStormOptions): Promise<KillStormResult> {
  const { rows, seed, orders = {} } = options;
  const random = createRandom(seed);
  await using shop = await openKillShop({ rows, faults: BAD_ANSWERS, seed: `storm ${seed}` });
  const tally = { kills: 0, starts: 0, busy: 0 };
  while (tally.kills < options.kills) {
    const killed = await startAndKill({ shop, random, orders, tally }, options);
    // A run that is over cannot be killed any more.
    if (!killed && isOver(shop)) break;
    options.onProgress?.(tally.kills);
  }
  await shop.calm();
  const codes = await settleRun(shop);
  return { ...tally, codes, ...takeAccount(shop, rows) };
}

/** Few enough between two kills that the run is not over before the last of them. */
const ADDS_SHARE = 0.9;

interface Storm {
  readonly shop: KillShop;
  readonly random: Random;
  readonly orders: Orders;
  readonly tally: { kills: number; starts: number; busy: number };
}

/** Says whether the process was still there to be killed. */
async function startAndKill(storm: Storm, options: KillStormOptions): Promise<boolean> {
  const { shop, random, orders, tally } = storm;
  const { doubleShare = 0.3 } = options;
  const command = nextCommand(shop);
  const isDouble = random.chance(doubleShare);
  const first = shop.start(orders, ...command);
  const second = isDouble ? shop.start(orders, ...command) : undefined;
  tally.starts += isDouble ? 2 : 1;
  const sent = shop.sandbox.stats().adds;
  const most = random.between(0, Math.ceil((ADDS_SHARE * options.rows) / options.kills));
  const isGone = (): boolean => first.child.exitCode !== null || first.child.signalCode !== null;
  while (!isGone() && shop.sandbox.stats().adds < sent + most) await wait(2);
  // Somewhere between two adds, not only at the moment of one.
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

function isOver(shop: KillShop): boolean {
  const open = new Set(["parsed", "ready", "sending", "ambiguous"]);
  const rows = shop.read()?.rows ?? [];
  return rows.length > 0 && !rows.some(({ state }) => open.has(state));
}
