import type { SeedRange } from "../simulation/play-seeds.ts";

/**
 * Seeds shortly before the first broken world, for mutants that need many worlds: these are played
 * first. After a change of how worlds are drawn, `node test/safety/mutants/main.ts` takes longer
 * and prints the new seeds.
 */
export const FIRST_SEEDS: Readonly<Record<string, number>> = {
  "waits-unlooked": 641_590,
  "moves-unseen": 453_750,
  "rechecks-in-one-pass": 221_280,
  "blames-totals": 43_270,
  "renews-for-nothing": 21_260,
  "own-clock": 2_990,
  "keeps-claims": 2_060,
  "leaves-on-an-old-look": 1_690,
  "look-lasts": 1_690,
  "no-boundary": 1_210,
  "no-window": 1_200,
  "one-pass": 1_170,
  "foreign-attempt": 1_110,
  "single-sweep": 1_020,
  "partial-look": 1_010,
  "no-sync": 620,
  "believes-totals": 590,
  "undoes-to-the-plan": 510,
  "reads-once": 420,
  "believes-the-filter": 410,
  "refused-gives-its-code": 390,
  "refused-is-absent": 390,
  "sheet-tells-the-unit": 320,
  "prunes-adds": 240,
  "knows-no-copy": 210,
  "trusts-the-plan": 170,
  "resume-is-young": 170,
  "no-look": 170,
};

/** Worlds played where the first broken one is known to be. */
export const KNOWN_COUNT = 50;

/** The ranges of seeds in which those mutants are noticed. */
export const KNOWN_RANGES: readonly SeedRange[] = Object.values(FIRST_SEEDS).map((from) => ({
  from,
  count: KNOWN_COUNT,
}));
