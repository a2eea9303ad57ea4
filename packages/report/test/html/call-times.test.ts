import { describe, expect, it } from "vitest";

import { toCallTimes } from "../../src/html/calls.ts";

const at = (minute: number, calls: number, perHour: number | null = null) => ({
  minute,
  calls,
  perHour,
});

describe("toCallTimes", () => {
  it("are undefined where no call was made", () => {
    expect(toCallTimes([])).toBeUndefined();
  });

  it("have a bar for each minute, also for minutes without a call", () => {
    const times = toCallTimes([at(100, 5, 600), at(102, 7, 300)]);

    expect(times).toEqual({
      step: 1,
      bars: [
        { minute: 100, calls: 5, allowed: 10 },
        { minute: 101, calls: 0, allowed: null },
        { minute: 102, calls: 7, allowed: 5 },
      ],
      total: 12,
      busiestHour: 12,
      perHour: 300,
    });
  });

  it.each([
    [59, 1],
    [60, 2],
    [8 * 60, 10],
    [24 * 60, 30],
    [28 * 24 * 60, 720],
    [365 * 24 * 60, 7 * 1440],
  ])("group %d minutes into at most sixty bars of %d", (minutes, step) => {
    const from = 1_000_001;

    const times = toCallTimes([at(from, 1), at(from + minutes - 1, 1)]);

    expect(times?.step).toBe(step);
    expect(times?.bars.length).toBeLessThanOrEqual(60);
    expect(times?.bars.reduce((sum, { calls }) => sum + calls, 0)).toBe(2);
  });

  it("find the busiest hour, wherever it begins", () => {
    const minutes = [at(0, 50), at(30, 10), at(59, 10), at(60, 20), at(89, 31), at(120, 1)];

    // From minute 30 to 89: the hour one minute earlier has fewer calls, and so has the hour one
    // minute later.
    expect(toCallTimes(minutes)?.busiestHour).toBe(71);
  });
});
