import { describe, expect, it } from "vitest";

import { formatMinor, formatPercent } from "../../src/report-page/money-text.ts";

describe("formatMinor", () => {
  it.each([
    [0, "0,00", "0.00"],
    [7, "0,07", "0.07"],
    [129_990, "1.299,90", "1,299.90"],
    [100_000_000, "1.000.000,00", "1,000,000.00"],
    [-1050, "-10,50", "-10.50"],
  ])("writes %d", (minor, turkish, english) => {
    expect(formatMinor(minor, "tr")).toBe(turkish);
    expect(formatMinor(minor, "en")).toBe(english);
  });
});

describe("formatPercent", () => {
  it.each([
    [9900, "+%9.900", "+9,900%"],
    [-2.54, "−%2,5", "−2.5%"],
    [25, "+%25", "+25%"],
  ])("writes %d", (percent, turkish, english) => {
    expect(formatPercent(percent, "tr")).toBe(turkish);
    expect(formatPercent(percent, "en")).toBe(english);
  });
});
