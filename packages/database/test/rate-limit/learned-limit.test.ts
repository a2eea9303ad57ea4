import { describe, expect, it } from "vitest";

import { allowedCalls, learnLimit } from "../../src/rate-limit/learned-limit.ts";

const HOUR_MS = 3_600_000;

describe("learnLimit", () => {
  it.each([
    ["takes what was counted where nothing was known", undefined, 480, 480],
    ["takes no less than a call a minute", undefined, 3, 60],
    ["takes what was counted where it comes near to what was allowed", 600, 590, 590],
    ["halves where somebody else must have used the quota up", 600, 100, 300],
    ["never learns more than was allowed", 600, 800, 600],
    ["never raises a small limit", 40, 1, 40],
  ] as const)("%s", (...[, allowed, counted, expected]) => {
    expect(learnLimit({ allowed, counted })).toBe(expected);
  });
});

describe("allowedCalls", () => {
  const learnt = { callsPerHour: 100, atMs: 0 };

  it.each([
    ["is what was given where nothing was learnt", 600, undefined, 0, 600],
    ["is what was learnt at first", 600, learnt, HOUR_MS - 1, 100],
    ["is a tenth more after a quiet hour", 600, learnt, HOUR_MS, 110],
    ["never grows above what was given", 105, learnt, 100 * HOUR_MS, 105],
    ["does not shrink where the clock was put back", 600, learnt, -HOUR_MS, 100],
    ["grows where nothing was given", undefined, learnt, 2 * HOUR_MS, 121],
  ] as const)("%s", (...[, given, lesson, nowMs, expected]) => {
    expect(allowedCalls(given, lesson, nowMs)).toBe(expected);
  });
});
