import { InputError } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { createTimetable, describeTimes, openTimetable, spreadStart } from "../src/timetable.ts";

const START_MS = Date.UTC(2026, 10, 21, 6, 7);
const MINUTE_MS = 60_000;

describe("createTimetable", () => {
  it("reads times in the time zone", () => {
    const [next] = createTimetable("30 9 * * *", "Europe/Istanbul").list(START_MS, 1);

    expect(next).toBe(Date.UTC(2026, 10, 21, 6, 30));
  });

  it.each([
    ["every day", "Europe/Istanbul"],
    ["* * * * * *", "Europe/Istanbul"],
    ["2026-12-01T00:00:00", "Europe/Istanbul"],
    ["0 * * * *", "Europe/Constantinople2"],
    ["0 0 31 2 *", "Europe/Istanbul"],
  ] as const)("refuses %s in %s", (pattern, zone) => {
    expect(() => createTimetable(pattern, zone)).toThrow(InputError);
    expect(openTimetable(pattern, zone)).toBeUndefined();
  });
});

it.each([
  ["*/15 * * * *", "15 dakikada bir", "Every 15 minutes"],
  ["* * * * *", "Her dakika", "Every minute"],
  ["0 * * * *", "Saatte bir", "Every hour"],
  ["@hourly", "Saatte bir", "Every hour"],
  ["5 * * * *", "Her saat, :05 geçe", "Every hour at :05"],
  ["0 */6 * * *", "6 saatte bir", "Every 6 hours"],
  ["30 9 * * *", "Her gün 09:30", "Every day at 09:30"],
  ["0 8 * * 1-5", "Hafta içi her gün 08:00", "Monday to Friday at 08:00"],
  ["*/40 * * * *", "Kendi deseni: */40 * * * *", "Own pattern: */40 * * * *"],
  ["0 8 1 * *", "Kendi deseni: 0 8 1 * *", "Own pattern: 0 8 1 * *"],
] as const)("describeTimes says %s in words", (cron, tr, en) => {
  expect([describeTimes(cron, "tr"), describeTimes(cron, "en")]).toEqual([tr, en]);
});

describe("spreadStart", () => {
  const names = Array.from({ length: 200 }, (_, at) => `https://shop.example store-${at} a`);

  it.each([
    ["*/15 * * * *", 7.5],
    ["0 * * * *", 10],
    ["0 3 * * *", 10],
  ] as const)("moves the starts of %s by up to %s minutes", (cron, maxMinutes) => {
    const timetable = createTimetable(cron, "Europe/Istanbul");
    const delays = names.map((name) => spreadStart(name, timetable, START_MS));

    expect(Math.max(...delays)).toBeLessThan(maxMinutes * MINUTE_MS);
    expect(Math.max(...delays)).toBeGreaterThan(maxMinutes * MINUTE_MS * 0.8);
    expect(Math.min(...delays)).toBeLessThan(maxMinutes * MINUTE_MS * 0.2);
    expect(delays).toEqual(names.map((name) => spreadStart(name, timetable, START_MS + 1e9)));
  });
});

const STORES = 10_000;
const SPREAD_START_MS = Date.UTC(2026, 10, 21, 6);
const SECOND_MS = 1_000;

it("spreads 10,000 stores of every 15 minutes without bunching", () => {
  const spreadMs = 7.5 * MINUTE_MS;
  const timetable = createTimetable("*/15 * * * *", "Europe/Istanbul");
  const delays = Array.from({ length: STORES }, (_, at) =>
    spreadStart(`https://marketplace.example store-${at} stok`, timetable, SPREAD_START_MS),
  );

  const perSecond = Map.groupBy(delays, (delay) => delay / SECOND_MS);
  const seconds = spreadMs / SECOND_MS;
  const busiest = Math.max(...perSecond.values().map((all) => all.length));
  expect(Math.max(...delays)).toBeLessThan(spreadMs);
  expect(busiest).toBeLessThanOrEqual((2 * STORES) / seconds);
  expect(perSecond.size).toBeGreaterThan(0.99 * seconds);
});
