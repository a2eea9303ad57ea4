import { createFakeClock, elapse } from "@catalog/clock/testing";
import { expect, it } from "vitest";

import { createPatience } from "../src/patience.ts";

const AWAY = new Error("away");
const MINUTE_MS = 60_000;

/** How long work waits for a database that stays away, where a person asks to stop meanwhile. */
async function waitedMs(maxMs: number, stopAfterMs?: number): Promise<number> {
  const clock = createFakeClock();
  const stop = new AbortController();
  if (stopAfterMs !== undefined) void clock.sleep(stopAfterMs).then(() => stop.abort());
  const patience = createPatience({ clock, maxMs, stop: stop.signal }, (error) => error === AWAY);
  const work = patience.outlast(() => Promise.reject(AWAY)).catch((error: unknown) => error);
  expect(await elapse(clock, work)).toBe(AWAY);
  return clock.now();
}

it.each([
  ["as long as it may", 10 * MINUTE_MS, undefined, 600],
  ["some seconds more once a person asks to stop", 10 * MINUTE_MS, 2 * MINUTE_MS, 130],
  ["no longer than before, where that is less", 5_000, 1_000, 5],
])("waits %s", async (_how, maxMs, stopAfterMs, seconds) => {
  const waited = (await waitedMs(maxMs, stopAfterMs)) / 1000;

  expect(waited).toBeGreaterThanOrEqual(seconds);
  expect(waited).toBeLessThan(seconds + 5);
});
