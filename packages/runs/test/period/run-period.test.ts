import { describe, expect, it } from "vitest";

import {
  describePeriod,
  formatLocalTime,
  judgePeriod,
  nextOfPeriod,
  parseLocalTime,
  type PeriodFacts,
  resolvePeriod,
  type RunPeriod,
} from "../../src/period/run-period.ts";

const NOW_MS = Date.parse("2026-11-29T12:00:00Z");
const MINUTE_MS = 60_000;
const at = (time: string): number => Date.parse(time);

describe("parseLocalTime", () => {
  const times: readonly (readonly [text: string, zone: string, moment: string])[] = [
    ["2026-12-07T00:00", "Europe/Istanbul", "2026-12-06T21:00:00Z"],
    ["2026-12-07", "Europe/Istanbul", "2026-12-06T21:00:00Z"],
    ["2026-12-07 09:30", "Europe/Istanbul", "2026-12-07T06:30:00Z"],
    ["2026-03-29T01:59", "Europe/Berlin", "2026-03-29T00:59:00Z"],
    ["2026-03-29T03:00", "Europe/Berlin", "2026-03-29T01:00:00Z"],
    ["2026-10-25T03:00", "Europe/Berlin", "2026-10-25T02:00:00Z"],
    ["2026-07-01T12:00", "America/New_York", "2026-07-01T16:00:00Z"],
    ["2028-02-29T23:59", "UTC", "2028-02-29T23:59:00Z"],
  ];
  for (const [text, zone, moment] of times) {
    it(`reads ${text} on the clock of ${zone}`, () => {
      const read = parseLocalTime(text, zone);

      expect(new Date(read).toISOString()).toBe(new Date(moment).toISOString());
      expect(formatLocalTime(read, zone).slice(0, text.length)).toBe(text.replace(" ", "T"));
    });
  }

  const refused: readonly (readonly [text: string, zone: string, why: RegExp])[] = [
    ["2026-03-29T02:30", "Europe/Berlin", /does not exist/u],
    ["2026-10-25T02:30", "Europe/Berlin", /comes twice/u],
    ["2026-02-29", "UTC", /no date and time/u],
    ["2026-06-31T10:00", "UTC", /no date and time/u],
    ["2026-12-07T24:00", "UTC", /no date and time/u],
    ["2026-12-07T25:00", "UTC", /no date and time/u],
    ["9999-12-31", "Europe/Istanbul", /no date and time/u],
    ["monday", "UTC", /no date and time/u],
    ["2026-12-07T00:00Z", "UTC", /no date and time/u],
    ["2026-12-07", "Europe/Nowhere", /no known time zone/u],
  ];
  for (const [text, zone, why] of refused) {
    it(`refuses ${text} on the clock of ${zone}`, () => {
      expect(() => parseLocalTime(text, zone)).toThrow(why);
    });
  }
});

describe("resolvePeriod", () => {
  it("takes a start and an end in Turkish time", () => {
    const wish = { start: "2026-12-01T09:00", end: "2026-12-07", fields: ["price"] };

    expect(resolvePeriod(wish, { nowMs: NOW_MS })).toEqual({
      timeZone: "Europe/Istanbul",
      startAtMs: at("2026-12-01T06:00:00Z"),
      endAtMs: at("2026-12-06T21:00:00Z"),
      fields: ["price"],
    });
  });

  const refused: readonly (readonly [what: string, start: string | null, end: string | null])[] = [
    ["a start that has passed", "2026-11-29T14:59", "2026-12-01"],
    ["an end that has passed", null, "2026-11-29"],
    ["an end before the start", "2026-12-07", "2026-12-01"],
    ["an end at the start", "2026-12-07", "2026-12-07T00:00"],
  ];
  for (const [what, start, end] of refused) {
    it(`refuses ${what}`, () => {
      expect(() => resolvePeriod({ start, end }, { nowMs: NOW_MS })).toThrow();
    });
  }

  it("leaves a time that stays as it is, though it has passed", () => {
    const known = { timeZone: "UTC", startAtMs: at("2026-11-01T00:00:00Z") };
    const wish = { start: "2026-11-01T00:00", end: "2026-12-01", timeZone: "UTC" };

    expect(resolvePeriod(wish, { nowMs: NOW_MS, known }).startAtMs).toBe(known.startAtMs);
  });
});

const APPROVED = { timeZone: "Europe/Istanbul", approvedAtMs: 1 };
const STARTS: RunPeriod = { ...APPROVED, startAtMs: NOW_MS };
const ENDS: RunPeriod = { ...APPROVED, endAtMs: NOW_MS };
const ENDED: RunPeriod = { ...ENDS, end: { atMs: NOW_MS, run: "r-2" } };
const WHOLE = { isFinished: true, updated: 5, failed: 0 };

const AGAIN = { atMs: NOW_MS + 3 * 3_600_000, undo: "r-4", before: ["r-3"] };

describe("judgePeriod", () => {
  const later = { nowMs: NOW_MS + 11 * MINUTE_MS };
  const cases: readonly (readonly [
    what: string,
    period: RunPeriod,
    facts: Partial<PeriodFacts>,
    state: string,
    isHealthy: boolean,
  ])[] = [
    ["a wish", { timeZone: "UTC", endAtMs: NOW_MS }, later, "proposed", true],
    ["a start ahead", STARTS, { nowMs: NOW_MS - 1, run: "planned" }, "scheduled", true],
    ["a start that is due", STARTS, { run: "planned" }, "scheduled", true],
    ["a start nobody begins", STARTS, { ...later, run: "planned" }, "late", false],
    ["a start that was begun", STARTS, later, "started", true],
    [
      "a start taken back",
      { ...STARTS, isWithdrawn: true },
      { ...later, run: "planned" },
      "scheduled",
      true,
    ],
    ["an end ahead", ENDS, { nowMs: NOW_MS - 1 }, "open", true],
    ["an end that is due", ENDS, {}, "ending", true],
    ["an end nobody begins", ENDS, later, "late", false],
    ["an end that is due again", { ...ENDS, again: AGAIN }, later, "ending", true],
    ["an end with nothing to do", { ...ENDS, end: { atMs: NOW_MS } }, later, "idle", true],
    ["a whole end", ENDED, { undo: WHOLE }, "ended", true],
    ["an end of which all was back", ENDED, { undo: { ...WHOLE, updated: 0 } }, "idle", true],
    ["an end with held rows", ENDED, { undo: { ...WHOLE, failed: 1 } }, "left", false],
    [
      "an end with kept rows",
      { ...ENDED, end: { atMs: NOW_MS, run: "r-2", kept: 2 } },
      { undo: WHOLE },
      "left",
      false,
    ],
    ["an end that stopped", ENDED, { undo: { ...WHOLE, isFinished: false } }, "failed", false],
  ];
  for (const [what, period, facts, state, isHealthy] of cases) {
    it(`calls ${what} ${state}`, () => {
      const judged = judgePeriod(period, { nowMs: NOW_MS, run: "finished", ...facts });

      expect(judged).toMatchObject({ state, isHealthy });
      const { tr, en } = describePeriod(period, judged, NOW_MS);
      expect([tr, en].every((text) => text.length > 10 && !text.includes("undefined"))).toBe(true);
    });
  }

  it("says how late an end was", () => {
    const lateMs = NOW_MS + 3 * 3_600_000;
    const period = { ...ENDED, end: { atMs: lateMs, run: "r-2" } };
    const judged = judgePeriod(period, { nowMs: lateMs, run: "finished", undo: WHOLE });

    expect(describePeriod(period, judged, lateMs)).toEqual({
      tr: "Geri alındı: 29 Kasım 2026 Pazar 18:00, 5 satır. 3 saat gecikti.",
      en: "Taken back on Sunday, 29 November 2026 at 18:00 (5 rows). It was 3 h late.",
    });
    const again = describePeriod({ ...period, again: AGAIN }, judged, lateMs);
    expect(again.tr).toBe("Geri alındı: 29 Kasım 2026 Pazar 18:00, 5 satır.");
  });
});

describe("nextOfPeriod", () => {
  const both = { ...STARTS, endAtMs: NOW_MS + 1 };
  const cases: readonly (readonly [what: string, period: RunPeriod, next: number | undefined])[] = [
    ["the start, then the end", both, NOW_MS],
    ["a start that the queue may not have got", { ...both, begunAtMs: 1 }, NOW_MS],
    ["the end once the start is queued", { ...both, begunAtMs: 1, isQueued: true }, NOW_MS + 1],
    ["the end once the start was taken back", { ...both, isWithdrawn: true }, NOW_MS + 1],
    ["nothing after the end", { ...both, end: { atMs: 1 } }, undefined],
    ["nothing of a wish", { ...both, approvedAtMs: undefined }, undefined],
  ];
  for (const [what, period, next] of cases) {
    it(`looks at ${what}`, () => {
      expect(nextOfPeriod(period)).toBe(next);
    });
  }
});
