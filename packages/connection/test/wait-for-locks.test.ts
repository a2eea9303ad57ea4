import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { openFileLocks } from "@catalog/database/testing";
import { expect, it, onTestFinished } from "vitest";

import { waitForLocks } from "../src/wait-for-locks.ts";

/** Waits for a lock that another holds for a time. Returns when it was taken, or the error. */
const hold = async (maxMs: number, heldMs: number): Promise<unknown> => {
  const home = mkdtempSync(join(tmpdir(), "catalog-locks-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const clock = createFakeClock(1_000);
  const store = { baseUrl: "https://a.example", storeId: "s1" };
  const { locks } = openFileLocks({ home, store, clock });
  const busy: string[] = [];
  const waiting = waitForLocks(locks, clock, { maxMs, onWait: ({ en }) => busy.push(en) });
  const holder = await locks.feeds("catalog sync");

  const taken = waiting.feeds("catalog sync").then(
    async (lock) => {
      await lock[Symbol.asyncDispose]();
      return `taken after ${clock.now() - 1_000} ms`;
    },
    (error: unknown) => error,
  );
  await clock.advance(heldMs);
  await holder[Symbol.asyncDispose]();
  await clock.advance(60_000);
  const result = await taken;
  expect(busy).toHaveLength(maxMs === 0 ? 0 : 1);
  return result;
};

it("takes the lock soon after its holder has given it back", async () => {
  expect(await hold(600_000, 30_500)).toBe("taken after 31000 ms");
});

it("refuses when the longest wait is over, and at once where it is 0", async () => {
  expect(await hold(10_000, 30_000)).toMatchObject({ code: "E_STORE_BUSY" });
  expect(await hold(0, 0)).toMatchObject({ code: "E_STORE_BUSY" });
});
