import { readdirSync } from "node:fs";
import { join } from "node:path";

import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import {
  createTokenCache,
  createTokenLock,
  type TokenLock,
} from "../../src/repositories/tokens.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { startScript } from "../helpers/start-script.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

interface Fixture {
  readonly folder: string;
  readonly clock: FakeClock;
  /** Creates the token lock of another process. */
  readonly createLock: () => TokenLock;
}

function setUp(): Fixture {
  const folder = temporaryFolder();
  const clock = createFakeClock(1_000);
  const databasePath = join(folder, "catalog.db");
  return { folder, clock, createLock: () => createTokenLock({ databasePath, clock }) };
}

describe("createTokenLock", () => {
  it("runs one work at a time, and every work in the end", async () => {
    const { clock, createLock } = setUp();
    let working = 0;
    let max = 0;
    let done = 0;
    const work = async (): Promise<void> => {
      working += 1;
      max = Math.max(max, working);
      await clock.sleep(1_000);
      working -= 1;
      done += 1;
    };

    const all = Promise.all(Array.from({ length: 6 }, () => createLock()("a", work)));
    await clock.advance(10_000);
    await all;

    expect({ max, done }).toEqual({ max: 1, done: 6 });
  });

  it("runs works of two keys at the same time", async () => {
    const { createLock } = setUp();

    const inner = await createLock()("a", () => createLock()("b", async () => "both"));

    expect(inner).toBe("both");
  });

  it("releases the lock when the work fails", async () => {
    const { createLock } = setUp();

    const failing = createLock()("a", () => Promise.reject(new Error("down")));

    await expect(failing).rejects.toThrow("down");
    await expect(createLock()("a", async () => "next")).resolves.toBe("next");
  });

  it("ends the wait with the reason of the signal", async () => {
    const { clock, createLock } = setUp();
    const controller = new AbortController();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const holding = createLock()("a", () => released);

    const waiting = createLock()("a", async () => "never", controller.signal);
    await clock.advance(100);
    controller.abort(new Error("closed"));

    await expect(waiting).rejects.toThrow("closed");
    release();
    await holding;
  });

  it("waits five minutes for a stopped holder, and then runs the work without the lock", async () => {
    const { clock, createLock } = setUp();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const holding = createLock()("a", () => released);
    let worked = false;
    const waiting = createLock()("a", async () => {
      worked = true;
    });

    await clock.advance(5 * 60_000 - 2_000);
    const before = worked;
    await clock.advance(4_000);

    expect([before, worked]).toEqual([false, true]);
    release();
    await Promise.all([holding, waiting]);
  });

  it("frees the lock at once when its holder dies", { timeout: 120_000 }, async () => {
    const { folder, clock, createLock } = setUp();
    const script = startScript("hold-token-lock", join(folder, "catalog.db"), "a");
    await script.nextLine();
    const waiting = createLock()("a", async () => "mine");
    await clock.advance(200);

    await script.kill();
    await clock.advance(200);

    await expect(waiting).resolves.toBe("mine");
  });

  it("needs no file for a database in memory", async () => {
    const lock = createTokenLock({ databasePath: ":memory:", clock: createFakeClock() });

    await expect(lock("a", () => lock("a", async () => "done"))).resolves.toBe("done");
    expect(readdirSync(".").filter((name) => name.includes(":memory:"))).toEqual([]);
  });
});

describe("createTokenCache", () => {
  it("shares tokens with every process that opens the file", async () => {
    const { database, path, clock } = await openTestJournal();
    const elsewhere = await openTestJournal({ path, runs: [] });
    const token = { token: "secret", expiresAtMs: 21_600_000 };

    await createTokenCache({ database, clock }).write("a", token);

    expect(await createTokenCache({ database: elsewhere.database, clock }).read("a")).toEqual(
      token,
    );
  });

  it("keeps the last token of each key, and no other's", async () => {
    const { database, clock } = await openTestJournal();
    const tokens = createTokenCache({ database, clock });

    await tokens.write("a", { token: "first", expiresAtMs: 1 });
    await tokens.write("a", { token: "second", expiresAtMs: 2 });

    expect(await tokens.read("a")).toEqual({ token: "second", expiresAtMs: 2 });
    expect(await tokens.read("b")).toBeUndefined();
  });

  it("deletes one token and keeps the others", async () => {
    const { database, clock } = await openTestJournal();
    const tokens = createTokenCache({ database, clock });
    await tokens.write("a", { token: "first", expiresAtMs: 1 });
    await tokens.write("b", { token: "second", expiresAtMs: 1 });

    await tokens.forget("a");
    await tokens.forget("never there");

    expect(await tokens.read("a")).toBeUndefined();
    expect(await tokens.read("b")).toEqual({ token: "second", expiresAtMs: 1 });
  });

  it("never extends the life of a token by rounding", async () => {
    const { database, clock } = await openTestJournal();
    const tokens = createTokenCache({ database, clock });

    await tokens.write("a", { token: "secret", expiresAtMs: 1_000.9 });

    expect(await tokens.read("a")).toEqual({ token: "secret", expiresAtMs: 1_000 });
  });
});
