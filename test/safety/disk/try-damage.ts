/** An import whose disk is damaged, and the result of starting it again. */

import { rmSync } from "node:fs";

import { nextCommand } from "../kill/account.ts";
import { type KillScenario, openKillScenario } from "../kill/kill-scenario.ts";
import type { Damage, Met } from "./damages.ts";

export interface TriedDamage {
  readonly met: Met;
  /** Whether the database was refused, so that an empty one had to be used. */
  readonly isRefused: boolean;
  /** Exit code of the start that ended the run. */
  readonly code: number | null;
  /** Codes that the marketplace has more than once. */
  readonly doubles: readonly string[];
  /** Codes that are neither in the marketplace nor held. */
  readonly lost: readonly string[];
}

const ROWS = 16;
const MAX_STARTS = 6;

export async function tryDamage(damage: Damage): Promise<TriedDamage> {
  const faults = [{ kind: "latency", endpoint: "product.add", ms: 20 } as const];
  await using shop = await openKillScenario({ rows: ROWS, faults });
  const met = await damage.play(shop);
  let isRefused = false;
  let code: number | null = null;
  for (let start = 0; start < MAX_STARTS && code !== 0 && code !== 5; start += 1) {
    const end = await startAgain(shop);
    code = end.code;
    if (code !== UNUSABLE || isRefused) continue;
    // Follows the advice for a damaged file: removes it and imports again.
    isRefused = true;
    rmSync(shop.home, { recursive: true, force: true });
  }
  return { met, isRefused, code, ...compare(shop) };
}

const UNUSABLE = 2;

async function startAgain(shop: KillScenario): Promise<Met> {
  let command: readonly string[];
  try {
    command = nextCommand(shop);
  } catch {
    // The test cannot read the file either.
    command = ["import", shop.file, "--yes", "--json"];
  }
  const { code, out } = await shop.start({}, ...command).finished;
  return { code, out };
}

function compare(shop: KillScenario): Pick<TriedDamage, "doubles" | "lost"> {
  const products = Map.groupBy(shop.sandbox.products(), ({ product_code }) => product_code);
  const rows = shop.read()?.rows ?? [];
  const codes = [...products.keys(), ...rows.map(({ code }) => code)];
  const isSafe = (code: string): boolean =>
    products.has(code) || rows.some((row) => row.code === code && row.state === "held");
  const missing = ROWS - new Set(codes).size;
  return {
    doubles: [...products].filter(([, same]) => same.length > 1).map(([code]) => code),
    lost: [
      ...new Set(codes.filter((code) => !isSafe(code))),
      ...(missing > 0 ? [`${missing} rows that nobody knows`] : []),
    ],
  };
}
