import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { openLocks } from "../src/open-locks.ts";
import { waitForLocks } from "../src/wait-for-locks.ts";

it("tells which process works on the store, and on which run", async () => {
  const home = mkdtempSync(join(tmpdir(), "catalog-locks-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const clock = createFakeClock(1_000);
  const open = (storeId: string): ReturnType<typeof openLocks> =>
    openLocks({ home, baseUrl: "https://a.example", storeId, clock });
  const [locks, other] = [open("s1"), open("s2")];
  const before = await locks.storeHolder();

  const lock = await locks.store("catalog apply");
  await lock.nameRun("r1");
  await using feed = await locks.feeds("catalog sync");
  await feed.nameRun("r2");

  const holder = { command: "catalog apply", pid: process.pid, sinceMs: 1_000, run: "r1" };
  expect(before).toBeUndefined();
  expect(await locks.storeHolder()).toEqual(holder);
  expect(await locks.holderOf("r1")).toEqual(holder);
  expect(await locks.holderOf("r2")).toMatchObject({ command: "catalog sync" });
  expect(await locks.holderOf("r3")).toBeUndefined();
  expect(await other.storeHolder()).toBeUndefined();
  expect([...(await locks.runsUnderWay())]).toEqual(["r1", "r2"]);
  await lock[Symbol.asyncDispose]();
  expect(await locks.storeHolder()).toBeUndefined();
  expect(await locks.holderOf("r1")).toBeUndefined();
});

/** Waits for a lock that another holds for a time. Returns when it was taken, or the error. */
const hold = async (maxMs: number, heldMs: number): Promise<unknown> => {
  const home = mkdtempSync(join(tmpdir(), "catalog-locks-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const clock = createFakeClock(1_000);
  const locks = openLocks({ home, baseUrl: "https://a.example", storeId: "s1", clock });
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

describe("waitForLocks", () => {
  it("takes the lock soon after its holder has given it back", async () => {
    expect(await hold(600_000, 30_500)).toBe("taken after 31000 ms");
  });

  it("refuses when the longest wait is over, and at once where it is 0", async () => {
    expect(await hold(10_000, 30_000)).toMatchObject({ code: "E_STORE_BUSY" });
    expect(await hold(0, 0)).toMatchObject({ code: "E_STORE_BUSY" });
  });
});
