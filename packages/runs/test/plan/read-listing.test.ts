import { describe, expect, it } from "vitest";

import { createWriteBehind } from "../../src/plan/read-listing.ts";

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

  it("starts one write after the other where several callers start theirs at once", async () => {
    const log: number[] = [];
    const behind = createWriteBehind();
    const write = (number: number) => async (): Promise<void> => {
      log.push(number);
      await Promise.resolve();
      log.push(number);
    };

    await Promise.all([1, 2, 3].map((number) => behind.start(write(number))));
    await behind.end();

    expect(log).toEqual([1, 1, 2, 2, 3, 3]);
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
