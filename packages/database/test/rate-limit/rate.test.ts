import { describe, expect, it } from "vitest";

import { toRate, waitForSlotsMs } from "../../src/rate-limit/rate.ts";

const HOUR_MS = 3_600_000;

describe("toRate", () => {
  it("allows at most the given calls in an hour, and wastes less than a twentieth of them", () => {
    const limits = [...Array.from({ length: 2_000 }, (_, index) => index + 1), 10_000, 123_457];
    const wrong = limits.filter((limit) => {
      const { stepMs, toleranceMs } = toRate(limit);
      const atOnce = Math.round(toleranceMs / stepMs) + 1;
      const mostInAnHour = atOnce + Math.ceil(HOUR_MS / stepMs - 1e-6) - 1;
      return mostInAnHour > limit || (limit >= 40 && HOUR_MS / stepMs < limit * 0.95);
    });

    expect(wrong).toEqual([]);
  });

  it("allows any number of calls without a limit", () => {
    expect(toRate(undefined).stepMs).toBe(0);
  });
});

describe("waitForSlotsMs", () => {
  const rate = { stepMs: 1_000, toleranceMs: 4_000 };

  it.each([
    ["returns 0 for no call", 0, 0, 0],
    ["returns 0 for the calls of a burst", 5, 0, 0],
    ["returns one interval for the first call after the burst", 6, 0, 1_000],
    ["waits for the slots that are reserved", 1, 9_000, 5_000],
    ["adds up the intervals of many calls", 105, 0, 100_000],
  ] as const)("%s", (...[, calls, tatMs, expected]) => {
    expect(waitForSlotsMs(calls, { rate, nowMs: 0, tatMs })).toBe(expected);
  });
});
