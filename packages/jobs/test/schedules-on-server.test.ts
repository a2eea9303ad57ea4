import { expect, it } from "vitest";

import { createTimetable } from "../src/timetable.ts";
import { createServerWorld, type ServerAway } from "./helpers/server-world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Date.UTC(2026, 10, 23, 0, 7);
/** As many restarts as a week of nights has. */
const RESTARTS = 7;
const RESTART_EVERY_MS = 6 * HOUR_MS;
const END_MS = START_MS + RESTARTS * RESTART_EVERY_MS;
const STORES = 2;

const SCHEDULES = [
  { id: "stock", cron: "*/15 * * * *" },
  { id: "prices", cron: "5 * * * *" },
] as const;

/** Random numbers that are the same each time. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** The server is restarted again and again at a time of schedules, and once another one takes over. */
function planOutages(): readonly ServerAway[] {
  const nights = Array.from({ length: RESTARTS }, (_, at) => {
    const fromMs = START_MS + at * RESTART_EVERY_MS + 3 * HOUR_MS - 7 * MINUTE_MS + 1_500;
    return { fromMs, untilMs: fromMs + 45_000 };
  });
  const takeOverMs = START_MS + 12 * HOUR_MS - 7 * MINUTE_MS - 2_000;
  return [...nights, { fromMs: takeOverMs, untilMs: takeOverMs + 4 * MINUTE_MS }];
}

it(
  "runs each time once within a minute, while the server is restarted and taken over (#37)",
  { timeout: 120_000 },
  async () => {
    const away = planOutages();
    const world = createServerWorld({
      startMs: START_MS,
      stores: STORES,
      schedules: SCHEDULES,
      away,
      random: createRandom(7),
    });
    const stop = new AbortController();
    const workers = [world.keepWorker(stop.signal), world.keepWorker(stop.signal)];
    const failures: unknown[] = [];
    for (const worker of workers) worker.catch((error: unknown) => failures.push(error));

    await world.clock.advance(END_MS - START_MS);
    stop.abort();
    await world.clock.advance(2 * MINUTE_MS);

    const missing: string[] = [];
    const late: string[] = [];
    for (let store = 1; store <= STORES; store += 1) {
      for (const { id, cron } of SCHEDULES) {
        const timetable = createTimetable(cron, "Europe/Istanbul");
        for (let due = timetable.next(START_MS); due !== undefined && due < END_MS - HOUR_MS;) {
          const name = `${store} ${id} ${new Date(due).toISOString()}`;
          const dueMs = due;
          const isThis = (one: { schedule: string; dueMs: number }): boolean =>
            one.schedule === `${store} ${id}` && one.dueMs === dueMs;
          const first = world.started.find(isThis);
          const outage = away.find(
            ({ fromMs, untilMs }) => fromMs - MINUTE_MS <= dueMs && dueMs < untilMs,
          );
          const fromMs = outage?.untilMs ?? dueMs;
          if (world.done.filter(isThis).length !== 1) missing.push(name);
          if ((first?.atMs ?? Infinity) - fromMs > MINUTE_MS) late.push(name);
          due = timetable.next(due);
        }
      }
    }
    // A worker that was cut off cannot tell that its sync is over, so another one may start it again.
    const twice = world.started.length - world.done.length;
    expect({ missing, late, failures }).toEqual({ missing: [], late: [], failures: [] });
    expect(world.deaths()).toBeGreaterThan(20);
    expect(twice).toBeLessThanOrEqual(world.deaths() + away.length * STORES);
  },
);
