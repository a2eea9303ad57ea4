import { expect, it } from "vitest";

import { createTimetable, spreadStart } from "../src/timetable.ts";

const STORES = 10_000;
const START_MS = Date.UTC(2026, 10, 21, 6);
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

it("spreads 10,000 stores of every 15 minutes without bunching", () => {
  const spreadMs = 7.5 * MINUTE_MS;
  const timetable = createTimetable("*/15 * * * *", "Europe/Istanbul");
  const delays = Array.from({ length: STORES }, (_, at) =>
    spreadStart(`https://marketplace.example store-${at} stok`, timetable, START_MS),
  );

  const perSecond = Map.groupBy(delays, (delay) => delay / SECOND_MS);
  const seconds = spreadMs / SECOND_MS;
  const busiest = Math.max(...perSecond.values().map((all) => all.length));
  expect(Math.max(...delays)).toBeLessThan(spreadMs);
  expect(busiest).toBeLessThanOrEqual((2 * STORES) / seconds);
  expect(perSecond.size).toBeGreaterThan(0.99 * seconds);
});
