import { describe, expect, it } from "vitest";

import { type CallBar, type CallTimes, plotCalls, toCallTimes } from "../../src/html/calls.ts";
import { named, readPage } from "../helpers/read-page.ts";

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

const times = (bars: readonly CallBar[]): CallTimes => ({
  step: 1,
  bars,
  total: 0,
  busiestHour: 0,
  perHour: null,
});

const MINUTE = Date.UTC(2026, 10, 21, 9, 30) / 60_000;

describe("plotCalls", () => {
  it("draws nothing for a single bar", () => {
    expect(plotCalls(times([{ minute: MINUTE, calls: 3, allowed: 10 }]), "tr")).toBe("");
  });

  it("draws a bar for each time, and the limit where it was known", () => {
    const page = readPage(
      plotCalls(
        times([
          { minute: MINUTE, calls: 20, allowed: null },
          { minute: MINUTE + 1, calls: 0, allowed: 10 },
          { minute: MINUTE + 2, calls: 5, allowed: 10 },
        ]),
        "tr",
      ),
    );

    const heights = named(page, "rect").map(({ attributes }) => attributes["height"]);
    expect(heights).toEqual(["160", "0", "40"]);
    expect(named(page, "path").map(({ attributes }) => attributes["d"])).toEqual([
      "M216 92H376M376 92H536",
    ]);
    const texts = named(page, "text").map(({ text }) => text);
    expect(texts).toEqual(["0", "10", "20", "12:30", "12:31", "12:32"]);
    expect(named(page, "title")[0]?.text).toContain("Zaman içinde");
  });

  it("draws no line where no limit was known", () => {
    const bars = [0, 1].map((index) => ({ minute: MINUTE + index, calls: 1, allowed: null }));

    expect(plotCalls(times(bars), "en")).not.toContain("<path");
  });
});
