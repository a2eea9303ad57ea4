import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { createQuota } from "../../src/http/request-checks.ts";

const HOUR_MS = 60 * 60 * 1000;

describe("createQuota", () => {
  it("frees a slot one hour after its request", async () => {
    const clock = createFakeClock();
    const quota = createQuota(clock, 2);
    quota.take();
    await clock.advance(HOUR_MS / 2);
    quota.take();

    await clock.advance(HOUR_MS / 2 - 1);
    expect(() => quota.take()).toThrow("Too many requests");
    await clock.advance(1);
    expect(() => quota.take()).not.toThrow();
    expect(() => quota.take()).toThrow("Too many requests");
  });

  it("says after how many whole seconds to retry", async () => {
    const clock = createFakeClock();
    const quota = createQuota(clock, 1);
    quota.take();
    await clock.advance(HOUR_MS - 1500);

    expect(() => quota.take()).toThrow(
      expect.objectContaining({ httpStatus: 429, headers: { "retry-after": "2" } }),
    );
  });

  it("is empty after a reset", () => {
    const quota = createQuota(createFakeClock(), 1);
    quota.take();

    quota.reset();

    expect(() => quota.take()).not.toThrow();
  });

  it.each([0, -1, Number.NaN])("refuses a limit of %d requests an hour", (requests) => {
    expect(() => createQuota(createFakeClock(), requests)).toThrow(RangeError);
  });
});
