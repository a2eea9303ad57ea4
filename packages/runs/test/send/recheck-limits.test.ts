import { expect, it } from "vitest";

import { countUpdateRecheckCalls, countUpdatesAtOnce } from "../../src/send/recheck-limits.ts";

it.each([
  ["a page for two workers", 4, undefined, 100],
  ["a page for one worker", 1, undefined, 50],
  ["as many without a limit as with a large one", 8, 100_000, 200],
  ["as many pages as are sent while their recheck is valid", 8, 20_000, 100],
  ["one page where even that takes longer", 8, 600, 50],
])("countUpdatesAtOnce is %s", (...[, concurrency, callsPerHour, expected]) => {
  expect(countUpdatesAtOnce(concurrency, callsPerHour)).toBe(expected);
});

it.each([
  ["a call for 50 updates", 120, undefined, 3],
  ["no call for no updates", 0, 600, 0],
  ["a call for 50 updates under a large limit", 1_000, 9_000, 20],
  ["one more for each minute under a small limit", 50, 600, 6],
  ["no more where all are sent within a minute", 8, 600, 1],
  ["one for each update under the smallest limit", 5, 60, 5],
])("countUpdateRecheckCalls is %s", (...[, updates, callsPerHour, expected]) => {
  expect(countUpdateRecheckCalls(updates, callsPerHour)).toBe(expected);
});
