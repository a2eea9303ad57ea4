import { describe, expect, it } from "vitest";

import { systemClock } from "../src/clock.ts";
import { createFakeClock, elapse } from "../src/testing.ts";

describe("systemClock", () => {
  it("rejects a sleep with the signal's reason", async () => {
    const controller = new AbortController();
    const sleep = systemClock.sleep(60_000, controller.signal);

    controller.abort(new Error("stop"));

    await expect(sleep).rejects.toThrow("stop");
  });

  it("rejects at once when the signal was aborted before", async () => {
    await expect(systemClock.sleep(60_000, AbortSignal.abort(new Error("gone")))).rejects.toThrow(
      "gone",
    );
  });

  it("resolves after a short sleep", async () => {
    await expect(systemClock.sleep(1)).resolves.toBeUndefined();
  });
});

describe("createFakeClock", () => {
  it("wakes sleepers in the order of their times", async () => {
    const clock = createFakeClock(1000);
    const woken: string[] = [];
    void clock.sleep(20).then(() => woken.push(`late at ${clock.now()}`));
    void clock.sleep(10).then(() => woken.push(`early at ${clock.now()}`));

    await clock.advance(30);

    expect(woken).toEqual(["early at 1010", "late at 1020"]);
    expect(clock.now()).toBe(1030);
  });

  it("does not wake a sleeper before its time", async () => {
    const clock = createFakeClock();
    let woken = false;
    void clock.sleep(10).then(() => (woken = true));

    await clock.advance(9);
    expect(woken).toBe(false);

    await clock.advanceToNext();
    expect(woken).toBe(true);
  });

  it("does not wake an aborted sleeper", async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const sleep = clock.sleep(10, controller.signal);

    controller.abort(new Error("stop"));

    await expect(sleep).rejects.toThrow("stop");
    await clock.advance(20);
    expect(clock.now()).toBe(20);
  });
});

describe("elapse", () => {
  it("moves the clock to the end of every sleep of the work, and returns its result", async () => {
    const clock = createFakeClock(1000);
    const work = clock.sleep(20).then(() => clock.sleep(30));

    const end = await elapse(
      clock,
      work.then(() => clock.now()),
    );

    expect(end).toBe(1050);
  });

  it("rejects with the error of the work", async () => {
    const clock = createFakeClock();
    const work = clock.sleep(20).then(() => Promise.reject(new Error("no answer")));

    await expect(elapse(clock, work)).rejects.toThrow("no answer");
  });
});
