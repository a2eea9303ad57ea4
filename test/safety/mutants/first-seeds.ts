/**
 * The first world in which each mutant is noticed: it is played before all others. After a change of
 * how worlds are drawn, `node test/safety/mutants/main.ts --write` takes minutes and renews them.
 */

import { readFileSync, writeFileSync } from "node:fs";

import type { SeedRange } from "../simulation/play-seeds.ts";

const FILE = new URL("first-seeds.json", import.meta.url);

/** Seeds by the name of the mutant. */
export const FIRST_SEEDS: Readonly<Record<string, number>> = JSON.parse(readFileSync(FILE, "utf8"));

/** Those worlds, each alone. */
export const KNOWN_RANGES: readonly SeedRange[] = [...new Set(Object.values(FIRST_SEEDS))].map(
  (from) => ({ from, count: 1 }),
);

/** Replaces the seeds of these mutants. */
export function writeFirstSeeds(seeds: Readonly<Record<string, number>>): void {
  writeFileSync(FILE, `${JSON.stringify({ ...FIRST_SEEDS, ...seeds }, undefined, 2)}\n`);
}
