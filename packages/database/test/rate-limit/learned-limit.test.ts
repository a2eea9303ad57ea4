import { describe, expect, it } from "vitest";

import { allowedCalls, learnLimit } from "../../src/rate-limit/slots.ts";

const HOUR_MS = 3_600_000;

describe("learnLimit", () => {
  it.each([
    ["learns the counted calls where no limit was known", undefined, 480, 480],
    ["learns at least one call a minute", undefined, 3, 60],
    ["learns the counted calls where they are near the limit", 600, 590, 590],
    ["halves the limit where another program must have used it up", 600, 100, 300],
    ["never learns more than the limit before", 600, 800, 600],
    ["never raises a small limit", 40, 1, 40],
  ] as const)("%s", (...[, allowed, counted, expected]) => {
    expect(learnLimit({ allowed, counted })).toBe(expected);
  });
});

describe("allowedCalls", () => {
  const learned = { callsPerHour: 100, atMs: 0 };

  it.each([
    ["allows the given limit where none was learnt", 600, undefined, 0, 600],
    ["allows the learnt limit in the first hour", 600, learned, HOUR_MS - 1, 100],
    ["allows a tenth more after an hour without a refusal", 600, learned, HOUR_MS, 110],
    ["never allows more than the given limit", 105, learned, 100 * HOUR_MS, 105],
    ["allows no less where the clock was put back", 600, learned, -HOUR_MS, 100],
    [
      "allows more after quiet hours where no limit was given",
      undefined,
      learned,
      2 * HOUR_MS,
      121,
    ],
  ] as const)("%s", (...[, given, lesson, nowMs, expected]) => {
    expect(allowedCalls(given, lesson, nowMs)).toBe(expected);
  });
});
