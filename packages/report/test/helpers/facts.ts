/** What a plan has stored of itself, where a test is about a part of it. */

import type { RunRecord } from "@catalog/runs";

import { EMPTY_SUMMARY } from "../../src/run-summary.ts";

type Facts = NonNullable<RunRecord["facts"]>;
type Reading = NonNullable<Facts["reading"]>;

export const factsOf = (given: Partial<Facts> = {}): Facts => ({
  readBy: "listing",
  priceUnit: "minor",
  planned: EMPTY_SUMMARY.planned,
  ...given,
});

/** How a file with these columns was read. */
export const readingOf = (
  columns: Readonly<Record<string, string>>,
  given: Partial<Reading> = {},
): Reading => ({
  notes: [],
  openNames: [],
  columns: { profile: null, columns, chosen: [], constants: {}, decimal: null },
  ...given,
});
