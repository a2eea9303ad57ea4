import { describe, expect, it } from "vitest";

import {
  countFailures,
  hasDoneItsJob,
  rankOfFeed,
  readScheduleHealth,
  toSyncOptions,
} from "../src/schedule-health.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
/** A Friday, 12:00 in Türkiye. */
const NOW_MS = Date.UTC(2026, 10, 27, 9);

const counts = (updated: number, unchanged: number, held: number): object => ({
  rows: updated + unchanged + held,
  updated,
  unchanged,
  skipped: 0,
  held,
});

describe("hasDoneItsJob", () => {
  const cases = [
    ["all rows done", 0, counts(2, 58, 0), true],
    ["a feed that has not changed", 0, undefined, true],
    ["a few rows held", 5, counts(2, 57, 1), true],
    ["every row held, as the unit of prices is unknown", 5, counts(0, 0, 60), false],
    ["half of the rows held", 5, counts(0, 30, 30), false],
    ["a refused feed", 3, counts(0, 0, 0), false],
    ["a failed login", 4, undefined, false],
    ["a sync that was stopped", 6, counts(30, 30, 0), false],
    ["a killed sync", 137, undefined, false],
  ] as const;
  for (const [what, exit, found, expected] of cases) {
    it(`says ${expected ? "yes" : "no"} for ${what}`, () => {
      expect(hasDoneItsJob(exit, found)).toBe(expected);
    });
  }
});

describe("readScheduleHealth", () => {
  const base = {
    timeZone: "Europe/Istanbul",
    state: "active",
    result: undefined,
    createdAtMs: NOW_MS - 30 * DAY_MS,
  } as const;
  const cases = [
    ["*/15 * * * *", 44 * MINUTE_MS, undefined, true],
    ["*/15 * * * *", 45 * MINUTE_MS, undefined, false],
    ["*/15 * * * *", 45 * MINUTE_MS, 2 * 60 * MINUTE_MS, true],
    ["0 3 * * *", 2 * DAY_MS, undefined, true],
    ["0 3 * * *", 3 * DAY_MS, undefined, false],
    // From Friday to Monday.
    ["0 3 * * 1-5", 6 * DAY_MS, undefined, true],
  ] as const;
  for (const [cron, ageMs, unhealthyAfterMs, isHealthy] of cases) {
    it(`calls ${cron} ${isHealthy ? "healthy" : "unhealthy"} ${ageMs / MINUTE_MS} minutes after its last success`, () => {
      const options = toSyncOptions({ "unhealthy-after": unhealthyAfterMs });
      const schedule = { ...base, options, cron, succeededAtMs: NOW_MS - ageMs };

      expect(readScheduleHealth(schedule, { nowMs: NOW_MS }).isHealthy).toBe(isHealthy);
    });
  }

  it("counts from its beginning where no sync ever did its job, and not while it is paused", () => {
    const schedule = { ...base, options: {}, cron: "*/15 * * * *", succeededAtMs: undefined };
    const at = { nowMs: NOW_MS };

    expect(readScheduleHealth(schedule, at).isHealthy).toBe(false);
    expect(readScheduleHealth({ ...schedule, createdAtMs: NOW_MS }, at).isHealthy).toBe(true);
    expect(readScheduleHealth({ ...schedule, state: "paused" }, at).isHealthy).toBe(true);
  });
});

describe("rankOfFeed", () => {
  const result = { dueMs: 0, endedAtMs: 0, exit: 0, run: null, code: null, message: null };
  const ranked = (fields?: readonly string[]): number =>
    rankOfFeed({ result: { ...result, fields } });

  it("puts a feed of prices behind those with a stock, and those that were never accepted", () => {
    expect([ranked(["stock"]), ranked(["price", "stock"]), ranked(["price"]), ranked()]).toEqual([
      0, 0, 1, 0,
    ]);
    expect(rankOfFeed({ result: undefined })).toBe(0);
  });

  it("keeps what is known of a feed over a sync that did not read it", () => {
    const read = countFailures(undefined, { ...result, fields: ["price"] }, true);

    expect(rankOfFeed({ result: countFailures(read, { ...result, exit: 3 }, false) })).toBe(1);
  });
});
