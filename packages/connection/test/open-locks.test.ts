import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { expect, it, onTestFinished } from "vitest";

import { openLocks } from "../src/open-locks.ts";

it("tells which process works on the store, and on which run", () => {
  const home = mkdtempSync(join(tmpdir(), "catalog-locks-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const clock = createFakeClock(1_000);
  const open = (storeId: string): ReturnType<typeof openLocks> =>
    openLocks({ home, baseUrl: "https://a.example", storeId, clock });
  const [locks, other] = [open("s1"), open("s2")];
  const before = locks.storeHolder();

  const lock = locks.store("catalog apply");
  lock.nameRun("r1");
  using feed = locks.feeds("catalog sync");
  feed.nameRun("r2");

  const holder = { command: "catalog apply", pid: process.pid, sinceMs: 1_000, run: "r1" };
  expect([before, locks.storeHolder(), locks.holderOf("r1")]).toEqual([undefined, holder, holder]);
  expect(locks.holderOf("r2")).toMatchObject({ command: "catalog sync" });
  expect([locks.holderOf("r3"), other.storeHolder()]).toEqual([undefined, undefined]);
  expect([...locks.runsUnderWay()]).toEqual(["r1", "r2"]);
  lock[Symbol.dispose]();
  expect([locks.storeHolder(), locks.holderOf("r1")]).toEqual([undefined, undefined]);
});
