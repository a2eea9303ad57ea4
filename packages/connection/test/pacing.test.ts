import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { createRateLimiter, openDatabase } from "@catalog/database/testing";
import { expect, it, onTestFinished } from "vitest";

import { createLongWaits, openPacing, type Wait } from "../src/pacing.ts";
import { CLOSED_ADDRESS } from "../src/testing/test-connection.ts";

const HOUR_MS = 3_600_000;
const RETRY_MS = 300_000;

async function openTestPacing() {
  const folder = mkdtempSync(join(tmpdir(), "catalog-pacing-"));
  const database = await openDatabase(join(folder, "catalog.db"));
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const clock = createFakeClock();
  const waits = createLongWaits(clock);
  const credentials = { clientKey: "key" };
  const store = {
    createRateLimiter: (limit: Omit<Parameters<typeof createRateLimiter>[0], "database">) =>
      createRateLimiter({ ...limit, database }),
  };
  const opened = openPacing({ baseUrl: CLOSED_ADDRESS, credentials }, { store, waits });
  return { ...opened, clock, waits };
}

/** Waits that are reported while a call that ended like this waits for its retry. */
async function tellRetry(ended: {
  readonly status: number;
  readonly retryAfterMs: number;
}): Promise<readonly Wait[]> {
  const { rateLimiter, retryClock, clock, waits } = await openTestPacing();
  const told: Wait[] = [];
  waits.listen((wait) => void told.push(wait));
  rateLimiter.note(ended);
  const waiting = retryClock.sleep(RETRY_MS);
  await clock.advance(RETRY_MS);
  await waiting;
  return told;
}

it("reports after a refused call that all calls wait until the end of the pause", async () => {
  const told = await tellRetry({ status: 429, retryAfterMs: HOUR_MS });

  expect(told).toEqual([{ reason: "refused", untilMs: HOUR_MS }]);
});

it("reports the wait of a failed call when it is retried", async () => {
  const told = await tellRetry({ status: 503, retryAfterMs: HOUR_MS });

  expect(told).toEqual([{ reason: "retry", untilMs: RETRY_MS }]);
});

it("knows the limit that a refused call has taught before anybody reads it", async () => {
  const { note, pacing, rateLimiter } = await openTestPacing();
  await pacing.callsPerHour();
  for (let call = 0; call < 120; call += 1) note({ status: 200 });
  const before = pacing.knownCallsPerHour();

  note({ status: 429, retryAfterMs: HOUR_MS / 3 });
  await rateLimiter.flush();
  await new Promise(setImmediate);

  expect([before, pacing.knownCallsPerHour()]).toEqual([undefined, 120]);
});
