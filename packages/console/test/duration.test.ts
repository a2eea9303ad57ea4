import { describe, expect, it } from "vitest";

import { durationFlag, UsageError } from "../src/flags.ts";

describe("durationFlag", () => {
  for (const [text, ms] of [
    ["90m", 5_400_000],
    ["24h", 86_400_000],
    ["7D", 604_800_000],
    ["0", 0],
  ] as const) {
    it(`reads ${text}`, () => {
      expect(durationFlag({ reconcile: text }, "reconcile")).toBe(ms);
    });
  }

  for (const text of ["24", "h", "-1h", "1.5h"]) {
    it(`refuses "${text}"`, () => {
      expect(() => durationFlag({ reconcile: text }, "reconcile")).toThrow(UsageError);
    });
  }

  it("reads nothing where the flag was not given", () => {
    expect(durationFlag({}, "reconcile")).toBeUndefined();
  });
});
