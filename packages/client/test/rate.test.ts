import { createFakeClock, elapse } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { createRateLimit, toRate, waitForSlotsMs } from "../src/rate.ts";

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

describe("createRateLimit", () => {
  it("makes a burst at once and no more calls in any hour than allowed", async () => {
    const clock = createFakeClock(1_700_000_000_000);
    const pace = createRateLimit({ requestsPerHour: 100, clock });
    const startedMs: number[] = [];

    const calls = Array.from({ length: 250 }, async () => {
      await pace();
      startedMs.push(clock.now());
    });
    await elapse(clock, Promise.all(calls));

    const inHour = startedMs.map(
      (from) => startedMs.filter((at) => at >= from && at < from + HOUR_MS).length,
    );
    expect(startedMs.filter((at) => at === startedMs[0])).toHaveLength(3);
    expect(Math.max(...inHour)).toBeLessThanOrEqual(100);
    expect(Math.max(...inHour)).toBeGreaterThan(95);
  });

  it("ends the wait of an aborted call with the signal's reason", async () => {
    const clock = createFakeClock(0);
    const pace = createRateLimit({ requestsPerHour: 1, clock });
    const ended = new AbortController();
    await pace();

    const waiting = pace(ended.signal);
    ended.abort(new Error("closing"));

    await expect(waiting).rejects.toThrow("closing");
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses %d calls an hour", (requestsPerHour) => {
    expect(() => createRateLimit({ requestsPerHour })).toThrow(RangeError);
  });
});
