import { describe, expect, it } from "vitest";

import { toRate, waitForTurnsMs } from "../../src/rate-limit/rate.ts";

const HOUR_MS = 3_600_000;

describe("toRate", () => {
  it("lets no more into an hour than was allowed, and wastes no twentieth of many", () => {
    const limits = [...Array.from({ length: 2_000 }, (_, index) => index + 1), 10_000, 123_457];
    const wrong = limits.filter((limit) => {
      const { stepMs, toleranceMs } = toRate(limit);
      const atOnce = Math.round(toleranceMs / stepMs) + 1;
      const mostInAnHour = atOnce + Math.ceil(HOUR_MS / stepMs - 1e-6) - 1;
      return mostInAnHour > limit || (limit >= 40 && HOUR_MS / stepMs < limit * 0.95);
    });

    expect(wrong).toEqual([]);
  });

  it("lets everything through where there is no limit", () => {
    expect(toRate(undefined).stepMs).toBe(0);
  });
});

describe("waitForTurnsMs", () => {
  const rate = { stepMs: 1_000, toleranceMs: 4_000 };

  it.each([
    ["no call waits", 0, 0, 0],
    ["the calls of a burst do not wait", 5, 0, 0],
    ["the first one after it waits for a step", 6, 0, 1_000],
    ["a call waits behind what is booked", 1, 9_000, 5_000],
    ["many wait for one another", 105, 0, 100_000],
  ] as const)("%s", (...[, calls, tatMs, expected]) => {
    expect(waitForTurnsMs(calls, { rate, nowMs: 0, tatMs })).toBe(expected);
  });
});
