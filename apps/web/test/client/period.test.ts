import { describe, expect, it } from "vitest";

import {
  checkPeriod,
  EMPTY_PERIOD,
  type PeriodForm,
  toChangeBody,
  toPeriodBody,
  toPeriodForm,
} from "../../client/period/period-form.ts";
import { atTimeTr } from "../../client/texts/period-tr.ts";
import { changePeriodBody, periodBody, type RunPeriodView, undoBody } from "../../src/api/runs.ts";

const NOW_MS = Date.parse("2026-11-29T12:00:00Z");

const at = (local: string | null) => ({ isGiven: true, local });

const given = (part: Partial<PeriodForm>): PeriodForm => ({ ...EMPTY_PERIOD, ...part });

describe("checkPeriod", () => {
  it.each<readonly [string, Partial<PeriodForm>, string | null, string | null]>([
    ["no time at all", {}, null, null],
    ["a time that is not filled in", { end: at(null) }, null, "empty"],
    [
      "a time that is filled in and not wanted any more",
      { end: { isGiven: false, local: "2020-01-01T00:00" } },
      null,
      null,
    ],
    ["times ahead", { start: at("2026-12-01T09:00"), end: at("2026-12-07T00:00") }, null, null],
    ["the minute that is now in Istanbul", { start: at("2026-11-29T15:00") }, "past", null],
    ["the next minute in Istanbul", { start: at("2026-11-29T15:01") }, null, null],
    [
      "an end at the start",
      { start: at("2026-12-07T00:00"), end: at("2026-12-07T00:00") },
      null,
      "order",
    ],
    [
      "an end before the start",
      { start: at("2026-12-07T00:00"), end: at("2026-12-06T23:59") },
      null,
      "order",
    ],
    [
      "an hour that the clock skips",
      { end: at("2027-03-28T02:30"), timeZone: "Europe/Berlin" },
      null,
      "skipped",
    ],
    [
      "an hour that the clock shows twice",
      { end: at("2027-10-31T02:30"), timeZone: "Europe/Berlin" },
      null,
      "twice",
    ],
    ["such an hour where no clock changes", { end: at("2027-03-28T02:30") }, null, null],
  ])("judges %s", (_, part, start, end) => {
    expect(checkPeriod(given(part), { nowMs: NOW_MS })).toEqual({ start, end });
  });

  it("lets a time stay that has passed, and no other one", () => {
    const known = given({ start: at("2026-11-01T00:00"), end: at("2026-12-07T00:00") });
    const moved = { ...known, start: at("2026-11-02T00:00") };

    expect(checkPeriod(known, { nowMs: NOW_MS, known })).toEqual({ start: null, end: null });
    expect(checkPeriod(moved, { nowMs: NOW_MS, known }).start).toBe("past");
  });
});

const PERIOD: RunPeriodView = {
  timeZone: "Europe/Istanbul",
  start: null,
  end: { at: "2026-12-06T21:00:00.000Z", local: "2026-12-07T00:00", text: "" },
  fields: [{ field: "has_discount", label: "İndirim" }],
  state: "open",
  stateText: "",
  isHealthy: true,
  endRun: null,
  can: { changeStart: false, changeEnd: true },
};

describe("what is asked of the server", () => {
  it("is what a period says", () => {
    const body = toPeriodBody(toPeriodForm(PERIOD));

    expect(periodBody.parse(body)).toEqual({
      start: null,
      end: "2026-12-07T00:00",
      timeZone: "Europe/Istanbul",
      fields: ["has_discount"],
    });
  });

  it("names nothing to take back without an end, and is nothing without a time", () => {
    const form = { ...toPeriodForm(PERIOD), end: EMPTY_PERIOD.end };

    expect(toPeriodBody({ ...form, start: at("2026-12-01T09:00") })).not.toHaveProperty("fields");
    expect(toPeriodBody(form)).toBeNull();
  });

  it("names the period that was seen", () => {
    const form = { ...toPeriodForm(PERIOD), end: EMPTY_PERIOD.end };

    expect(changePeriodBody.parse(toChangeBody(form, PERIOD))).toEqual({
      start: null,
      end: null,
      timeZone: "Europe/Istanbul",
      seen: { start: null, end: "2026-12-06T21:00:00.000Z" },
    });
  });
});

it.each([
  [["has_discount"], true],
  [["price", "stock_count"], true],
  [["--zero-stock"], false],
  [["price,stock"], false],
  [[], false],
])("takes %j as what is taken back now: %s", (fields, isTaken) => {
  expect(undoBody.safeParse({ zeroStock: false, fields }).success).toBe(isTaken);
});

it.each([
  ["00:00", "00:00'da"],
  ["01:00", "01:00'de"],
  ["13:00", "13:00'te"],
  ["10:00", "10:00'da"],
  ["20:00", "20:00'de"],
  ["09:40", "09:40'ta"],
  ["09:50", "09:50'de"],
  ["18:06", "18:06'da"],
  ["23:59", "23:59'da"],
])("reads a time at %s aloud", (text, read) => {
  expect(atTimeTr(`7 Aralık 2026 Pazartesi ${text}`)).toBe(`7 Aralık 2026 Pazartesi ${read}`);
});
