import { describe, expect, it } from "vitest";

import { createWriteBehind } from "../../src/plan/write-behind.ts";

describe("createWriteBehind", () => {
  it("lets the caller go on, and starts a write once the one before has ended", async () => {
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const behind = createWriteBehind();

    await behind.start(async () => {
      log.push("first");
      await first.promise;
    });
    const started = behind.start(async () => void log.push("second"));
    log.push("beside");
    first.resolve();
    await started;
    await behind.end();

    expect(log).toEqual(["first", "beside", "second"]);
  });

  it("rejects the next call with the error of a write", async () => {
    const behind = createWriteBehind();

    await behind.start(() => Promise.reject(new Error("disk")));

    await expect(behind.start(async () => undefined)).rejects.toThrow("disk");
    await expect(behind.end()).rejects.toThrow("disk");
  });

  it("is disposed of once the last write has ended, whatever became of it", async () => {
    let hasEnded = false;
    {
      await using behind = createWriteBehind();
      await behind.start(async () => {
        await Promise.resolve();
        hasEnded = true;
        throw new Error("disk");
      });
    }

    expect(hasEnded).toBe(true);
  });
});
