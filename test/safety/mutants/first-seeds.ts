import type { SeedRange } from "../simulation/play-seeds.ts";

/**
 * Seeds shortly before the first broken world, for mutants that need many worlds: these are played
 * first. After a change of how worlds are drawn, `node test/safety/mutants/main.ts` takes longer
 * and prints the new seeds.
 */
export const FIRST_SEEDS: Readonly<Record<string, number>> = {
  "own-clock": 11_950,
  "partial-look": 560,
  "leaves-on-an-old-look": 530,
  "foreign-attempt": 9_060,
  "sheet-tells-the-unit": 1_690,
  "no-boundary": 1_210,
  "single-sweep": 1_020,
  "one-pass": 460,
  "reads-once": 420,
  "refused-is-absent": 370,
  "refused-gives-its-code": 370,
  "no-window": 780,
  "no-sync": 620,
  "renews-for-nothing": 590,
  "undoes-to-the-plan": 370,
  "keeps-claims": 350,
  "resends-unlooked": 585,
  "no-canary": 340,
  "believes-the-filter": 280,
};

/** Worlds played where the first broken one is known to be. */
export const KNOWN_COUNT = 50;

/** The ranges of seeds in which those mutants are noticed. */
export const KNOWN_RANGES: readonly SeedRange[] = Object.values(FIRST_SEEDS).map((from) => ({
  from,
  count: KNOWN_COUNT,
}));
