import { createFakeClock } from "@catalog/clock/testing";
import { expect, it } from "vitest";

import { openServerClock } from "../../src/postgres/open-postgres.ts";
import { createRateLimiter, type RateLimiter } from "../../src/rate-limit/rate-limiter.ts";
import {
  describeOnPostgres,
  openTestPostgres,
  type TestPostgres,
} from "../helpers/open-test-postgres.ts";

const HOUR_MS = 3_600_000;

describeOnPostgres("the clock of the server", () => {
  it("counts on by the monotonic clock, and is read again after a minute", async () => {
    const { database } = await openTestPostgres();
    const monotonic = createFakeClock();
    const monotonicMs = (): number => monotonic.now();
    const clock = await openServerClock({ database, clock: monotonic, monotonicMs });
    const openedMs = clock.now();

    await monotonic.advance(60_000);
    const later = clock.now();
    await monotonic.advance(3 * HOUR_MS);
    clock.now();
    await expect.poll(() => clock.now()).toBeLessThan(openedMs + HOUR_MS);

    expect(later - openedMs).toBe(60_000);
    expect(Math.abs(openedMs - Date.now())).toBeLessThan(HOUR_MS);
  });

  it("keeps a limit over machines whose own clocks differ by most of an hour", async () => {
    const opened = await openTestPostgres();
    const machines = [await openLimiter(opened, 0), await openLimiter(opened, 50 * 60_000)];
    const given: number[] = [];
    for (const limiter of machines) given.push(await takeAll(limiter));

    expect(given).toEqual([expect.any(Number), 0]);
    expect(given[0]).toBeGreaterThan(0);
  });
});

/** Takes the slots that need no wait, and returns their number. */
async function takeAll(limiter: RateLimiter): Promise<number> {
  for (let given = 0; ; given += 1) {
    try {
      await limiter.take();
    } catch (error) {
      expect(error).toMatchObject({ code: "E_CALLS_PAUSED" });
      return given;
    }
  }
}

/** A limiter of 20 calls an hour on a machine whose own clock is ahead; it waits for no slot. */
async function openLimiter({ database }: TestPostgres, aheadMs: number): Promise<RateLimiter> {
  const own = createFakeClock(Date.now() + aheadMs);
  const clock = await openServerClock({
    database,
    clock: own,
    monotonicMs: () => performance.now(),
  });
  return createRateLimiter({ database, clock, key: "shop", requestsPerHour: 20, patienceMs: 1 });
}
