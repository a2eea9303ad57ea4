/**
 * Worlds shortly before the first that breaks, of the mutants that need many: they are played first.
 * Where worlds are drawn in another way, `node test/mutants/main.ts` takes longer, and tells the new ones.
 */
export const FIRST_WORLDS: Readonly<Record<string, number>> = {
  "own-clock": 11_950,
  "partial-look": 6_090,
  "renews-for-nothing": 5_340,
  "foreign-attempt": 2_010,
  "sheet-tells-the-unit": 1_690,
  "refused-is-absent": 1_280,
  "refused-gives-its-code": 1_280,
  "no-window": 780,
  "no-sync": 620,
};
