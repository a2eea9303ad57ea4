import { describe, expect, it } from "vitest";

import { formatDuration } from "../src/formats.ts";
import {
  formatBytes,
  formatDateTime,
  formatMinor,
  formatNumber,
  formatPercentChange,
  roundPercentChange,
} from "../src/index.ts";

it.each([
  [0, {}, "0", "0"],
  [1234, {}, "1.234", "1,234"],
  [1_234_567, {}, "1.234.567", "1,234,567"],
  [1234.5678, {}, "1.234,568", "1,234.568"],
  [12.34, { maxDecimals: 1 }, "12,3", "12.3"],
  [12, { maxDecimals: 1 }, "12", "12"],
  [12, { minDecimals: 2, maxDecimals: 2 }, "12,00", "12.00"],
] as const)("formatNumber writes %d with %o", (value, options, ...[turkish, english]) => {
  expect(formatNumber(value, "tr", options)).toBe(turkish);
  expect(formatNumber(value, "en", options)).toBe(english);
});

it.each([
  [0, "0,00", "0.00"],
  [7, "0,07", "0.07"],
  [129_990, "1.299,90", "1,299.90"],
  [100_000_000, "1.000.000,00", "1,000,000.00"],
  [-1050, "-10,50", "-10.50"],
  [99.6, "1,00", "1.00"],
])("formatMinor writes %d", (minor, turkish, english) => {
  expect(formatMinor(minor, "tr")).toBe(turkish);
  expect(formatMinor(minor, "en")).toBe(english);
});

it.each([
  [9900, "+%9.900", "+9,900%"],
  [-12, "−%12", "−12%"],
  [0, "+%0", "+0%"],
])("formatPercentChange writes %d", (percent, turkish, english) => {
  expect(formatPercentChange(percent, "tr")).toBe(turkish);
  expect(formatPercentChange(percent, "en")).toBe(english);
});

it.each([
  [-99.887, "−%99,9", -99.9],
  [-99.9997, "−%99,9997", -99.9997],
  [-100, "−%100", -100],
  [0.04, "+%0,04", 0.04],
  [-0.4, "−%0,4", -0.4],
  [99.96, "+%100", 100],
  [-12.4, "−%12", -12],
])(
  "a change in percent is written %d as %s, never as none or as a value that is gone",
  (percent, text, rounded) => {
    expect(formatPercentChange(percent, "tr", { maxDecimals: 0 })).toBe(text);
    expect(roundPercentChange(percent, 0)).toBe(rounded);
  },
);

it.each([
  [0, "0 bayt", "0 bytes"],
  [1023, "1023 bayt", "1023 bytes"],
  [1024, "1 KB", "1 KB"],
  [1024 * 1024 - 1, "1 MB", "1 MB"],
  [5.5 * 1024 * 1024, "5,5 MB", "5.5 MB"],
  [10 * 1024 * 1024, "10 MB", "10 MB"],
  [250.4 * 1024 * 1024, "250 MB", "250 MB"],
  [80.06 * 1024 ** 3, "80,1 GB", "80.1 GB"],
])("formatBytes writes %d", (bytes, turkish, english) => {
  expect(formatBytes(bytes, "tr")).toBe(turkish);
  expect(formatBytes(bytes, "en")).toBe(english);
});

const AT_MS = Date.UTC(2026, 0, 31, 6, 5, 9);
const ISTANBUL = { timeZone: "Europe/Istanbul" } as const;

describe("formatDateTime", () => {
  it("writes a day and a time in the form of each language", () => {
    const options = { dateStyle: "short", timeStyle: "medium", ...ISTANBUL } as const;

    expect(formatDateTime(AT_MS, "tr", options)).toBe("31.01.2026 09:05:09");
    expect(formatDateTime(AT_MS, "en", options)).toBe("2026-01-31 09:05:09");
  });

  it("writes Turkish time on every machine, unless another zone is named", () => {
    expect(formatDateTime(AT_MS, "tr", { timeStyle: "short" })).toBe("09:05");
    expect(formatDateTime(AT_MS, "tr", { timeStyle: "short", timeZone: "UTC" })).toBe("06:05");
  });

  it("writes a time alone", () => {
    expect(formatDateTime(AT_MS, "tr", { timeStyle: "short", ...ISTANBUL })).toBe("09:05");
  });
});

it.each([
  [1, "1 sn", "1 s"],
  [119, "119 sn", "119 s"],
  [121, "3 dk", "3 min"],
  [3_600, "1 sa 0 dk", "1 h 0 min"],
  [3_661, "1 sa 2 dk", "1 h 2 min"],
])("durations %i seconds are %s and %s", (seconds, tr, en) => {
  expect([formatDuration(seconds, "tr"), formatDuration(seconds, "en")]).toEqual([tr, en]);
});
