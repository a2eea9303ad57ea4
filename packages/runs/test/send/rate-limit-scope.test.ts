import { describe, expect, it } from "vitest";

import { createRateLimitScope } from "../../src/send/send-gate.ts";

const WORDS = { tr: "çok", en: "many" };
const refusal = (row: number, askedMs?: number, isPaused = false) => ({
  row,
  askedMs,
  isPaused,
  words: WORDS,
});

describe("a refusal for too many calls", () => {
  it("waits shortly after a refusal, and long when the next write is refused too", () => {
    const limit = createRateLimitScope();

    expect([2, 3, 4].map((row) => limit.refused(refusal(row)))).toEqual([5_000, 60_000, 60_000]);
  });

  it("waits shortly again after a write was accepted", () => {
    const limit = createRateLimitScope();
    limit.refused(refusal(2));
    limit.passed();

    expect(limit.refused(refusal(3))).toBe(5_000);
  });

  it("waits as long as the marketplace asks, and at most an hour", () => {
    const limit = createRateLimitScope();

    expect(limit.refused(refusal(2, 1_500))).toBe(1_500);
    expect(limit.refused(refusal(2, 86_400_000))).toBe(3_600_000);
  });

  it("counts refusals of calls that were under way together once", () => {
    const limit = createRateLimitScope();
    limit.refused(refusal(2));
    limit.refused(refusal(3, undefined, true));

    expect(limit.refused(refusal(4, undefined, true))).toBe(5_000);
  });

  it("gives a row up after three tries between which other writes were accepted", () => {
    const limit = createRateLimitScope();
    const tries = [1, 2, 3].map(() => {
      limit.refused(refusal(2));
      limit.passed();
      return limit.givenUp(2);
    });

    expect(tries).toEqual([undefined, undefined, WORDS]);
  });

  it("gives no row up while no write is accepted", () => {
    const limit = createRateLimitScope();
    for (let n = 0; n < 9; n += 1) limit.refused(refusal(2));

    expect(limit.givenUp(2)).toBeUndefined();
  });
});
