import { createFakeClock } from "@catalog/clock/testing";
import { expect, it } from "vitest";

import { openFileLocks } from "../../src/locks/store-locks.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

it("tells which process works on the store, and on which run", async () => {
  const home = temporaryFolder();
  const clock = createFakeClock(1_000);
  const open = (storeId: string) =>
    openFileLocks({ home, store: { baseUrl: "https://a.example", storeId }, clock }).locks;
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
