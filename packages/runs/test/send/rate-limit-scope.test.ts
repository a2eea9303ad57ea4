import { describe, expect, it } from "vitest";

import { createCallLimit } from "../../src/send/rate-limit-scope.ts";

const WORDS = { tr: "çok", en: "many" };
const refusal = (row: number, askedMs?: number, isPaused = false) => ({
  row,
  askedMs,
  isPaused,
  words: WORDS,
});

describe("a refusal for too many calls", () => {
  it("is met with a short wait first, and a long one where the next write is refused too", () => {
    const limit = createCallLimit();

    expect([2, 3, 4].map((row) => limit.refused(refusal(row)))).toEqual([5_000, 60_000, 60_000]);
  });

  it("is met with a short wait again once a write has gone through", () => {
    const limit = createCallLimit();
    limit.refused(refusal(2));
    limit.passed();

    expect(limit.refused(refusal(3))).toBe(5_000);
  });

  it("is waited for as long as the marketplace asks, and an hour at most", () => {
    const limit = createCallLimit();

    expect(limit.refused(refusal(2, 1_500))).toBe(1_500);
    expect(limit.refused(refusal(2, 86_400_000))).toBe(3_600_000);
  });

  it("counts once for calls that were on their way together", () => {
    const limit = createCallLimit();
    limit.refused(refusal(2));
    limit.refused(refusal(3, undefined, true));

    expect(limit.refused(refusal(4, undefined, true))).toBe(5_000);
  });

  it("gives a row up after three tries between which others went through", () => {
    const limit = createCallLimit();
    const tries = [1, 2, 3].map(() => {
      limit.refused(refusal(2));
      limit.passed();
      return limit.givenUp(2);
    });

    expect(tries).toEqual([undefined, undefined, WORDS]);
  });

  it("gives no row up while nothing goes through", () => {
    const limit = createCallLimit();
    for (let n = 0; n < 9; n += 1) limit.refused(refusal(2));

    expect(limit.givenUp(2)).toBeUndefined();
  });
});
