import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { DatabaseError } from "../../src/errors.ts";
import { type FileLock, lockFile, openFileLocks } from "../../src/locks/store-locks.ts";
import { startScript } from "../helpers/start-script.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const SINCE_MS = new Date(2026, 10, 21, 9, 30).getTime();

/** Takes the lock, and releases it at the end of the test. */
function lock(path: string, command: string): FileLock {
  const held = lockFile({ path, holder: { command, pid: 4711, sinceMs: SINCE_MS } });
  onTestFinished(() => held[Symbol.dispose]());
  return held;
}

/** Returns the error with which the lock is refused. */
function readRefusal(path: string): DatabaseError {
  try {
    lock(path, "second");
  } catch (error) {
    if (error instanceof DatabaseError) return error;
    throw error;
  }
  throw new Error("the lock was given");
}

describe("lockFile", () => {
  it("refuses a second holder, and names the first one", () => {
    const path = join(temporaryFolder(), "store.lock");
    lock(path, "catalog import").nameRun("r-1");

    const refusal = readRefusal(path);

    expect(refusal.code).toBe("E_STORE_BUSY");
    expect(refusal.localized.tr).toContain(
      "(catalog import r-1, işlem no 4711, başlangıç 21.11.2026 12:30:00)",
    );
    expect(refusal.localized.en).toContain(
      "(catalog import r-1, process 4711, since 2026-11-21 12:30:00)",
    );
  });

  it("frees the lock once, even when it is released twice", () => {
    const path = join(temporaryFolder(), "store.lock");
    const first = lock(path, "first");
    first[Symbol.dispose]();
    first[Symbol.dispose]();

    const second = lock(path, "second");

    expect(readRefusal(path).message).toContain("(second, process 4711");
    second[Symbol.dispose]();
  });

  it("locks one store and not the others", () => {
    const folder = temporaryFolder();
    lock(join(folder, "a.lock"), "first");

    expect(() => lock(join(folder, "b.lock"), "second")).not.toThrow();
  });

  it("frees the lock at once when its holder dies", { timeout: 120_000 }, async () => {
    const path = join(temporaryFolder(), "store.lock");
    const script = startScript("hold-lock", path, "catalog apply", "r-7");
    await script.nextLine();
    expect(readRefusal(path).message).toMatch(/\(catalog apply r-7, process \d+, since /u);

    await script.kill();

    expect(() => lock(path, "me")).not.toThrow();
  });

  it("writes the note about the holder readable by its owner only", () => {
    const path = join(temporaryFolder(), "store.lock");

    lock(path, "first");

    expect((statSync(`${path}.txt`).mode % 0o1000).toString(8)).toBe("600");
  });

  it("reports an unknown holder where there is no note or no valid one", () => {
    const path = join(temporaryFolder(), "store.lock");
    lock(path, "first");
    rmSync(`${path}.txt`);
    expect(readRefusal(path).message).toContain("Another process is working on this store (?)");
    for (const note of ["", "null", '{"command":1}', "[]"]) {
      writeFileSync(`${path}.txt`, note);

      expect(readRefusal(path).message).toContain("(?)");
    }
  });

  it("releases the lock when its note cannot be written", () => {
    const path = join(temporaryFolder(), "store.lock");
    mkdirSync(`${path}.txt`);
    expect(readRefusal(path).code).toBe("E_DATABASE");

    rmSync(`${path}.txt`, { recursive: true });

    expect(() => lock(path, "me")).not.toThrow();
  });

  it("does not report an unusable file as a busy store", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "other.txt"), "Kod;Fiyat\r\n".repeat(500));

    for (const path of [join(folder, "missing", "store.lock"), join(folder, "other.txt")]) {
      expect(readRefusal(path).code).toBe("E_DATABASE");
    }
  });
});

it("tells which process works on the store, and on which run", async () => {
  const home = temporaryFolder();
  const clock = createFakeClock(1_000);
  const open = (storeId: string) =>
    openFileLocks({ home, store: { baseUrl: "https://a.example", storeId }, clock }).locks;
  const [locks, other] = [open("s1"), open("s2")];
  const before = await locks.storeHolder();

  const held = await locks.store("catalog apply");
  await held.nameRun("r1");
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
  await held[Symbol.asyncDispose]();
  expect(await locks.storeHolder()).toBeUndefined();
  expect(await locks.holderOf("r1")).toBeUndefined();
});
