import { describe, expect, it } from "vitest";

import { type CallBar, type CallTimes, plotCalls } from "../../src/html/calls.ts";
import { named, readPage } from "../helpers/read-page.ts";

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
