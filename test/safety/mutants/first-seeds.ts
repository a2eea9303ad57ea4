import type { SeedRange } from "../simulation/play-seeds.ts";

/**
 * Seeds shortly before the first broken world, for mutants that need many worlds: these are played
 * first. After a change of how worlds are drawn, `node test/safety/mutants/main.ts` takes longer
 * and prints the new seeds.
 */
export const FIRST_SEEDS: Readonly<Record<string, number>> = {
  "moves-unseen": 453_750,
  "rechecks-in-one-pass": 221_280,
  "renews-for-nothing": 21_260,
  "waits-unlooked": 221_280,
  "blames-totals": 43_270,
  "leaves-on-an-old-look": 5_940,
  "refused-gives-its-code": 4_540,
  "foreign-attempt": 3_320,
  "refused-is-absent": 2_180,
  "keeps-claims": 1_310,
  "no-boundary": 1_210,
  "own-clock": 1_050,
  "single-sweep": 1_020,
  "partial-look": 930,
  "no-canary": 810,
  "no-window": 780,
  "no-sync": 620,
  "believes-totals": 590,
  "resends-unlooked": 590,
  "undoes-to-the-plan": 510,
  "one-pass": 1_170,
  "reads-once": 420,
  "believes-the-filter": 410,
  "sheet-tells-the-unit": 320,
  "done-without-id": 310,
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
