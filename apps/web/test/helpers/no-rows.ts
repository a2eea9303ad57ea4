import type { RunCounts } from "../../src/api/index.ts";

/** The counts of a run without rows. */
export const NO_ROWS: RunCounts = {
  rows: 0,
  added: 0,
  updated: 0,
  unchanged: 0,
  invalid: 0,
  duplicate: 0,
  held: 0,
  rejected: 0,
  waiting: 0,
  cancelled: 0,
  restCancelled: 0,
  excluded: 0,
};
