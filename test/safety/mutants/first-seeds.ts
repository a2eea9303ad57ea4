import { type SeedRange } from "../simulation/play-seeds.ts";

/**
 * Worlds shortly before the first that breaks, of the mutants that need many: they are played first.
 * Where worlds are drawn in another way, `node test/safety/mutants/main.ts` takes longer, and tells the new ones.
 */
export const FIRST_WORLDS: Readonly<Record<string, number>> = {
  "own-clock": 11_950,
  "partial-look": 6_090,
  "foreign-attempt": 2_010,
  "sheet-tells-the-unit": 1_690,
  "refused-is-absent": 1_280,
  "refused-gives-its-code": 1_280,
  "no-window": 780,
  "no-sync": 620,
  "renews-for-nothing": 590,
  "keeps-claims": 350,
};

/** Worlds that are played where the first broken one is known to be. */
export const KNOWN_COUNT = 50;

/** The worlds in which those mutants are noticed. */
export const KNOWN_RANGES: readonly SeedRange[] = Object.values(FIRST_WORLDS).map((from) => ({
  from,
  count: KNOWN_COUNT,
}));
