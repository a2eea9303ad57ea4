import { describe, expect, it } from "vitest";

import { ALL_GUARDS, type GuardName } from "../../src/guards/guard-settings.ts";
import { emptiesTooMany, type FeedFacts, judgeFeed } from "../../src/guards/run-guards.ts";

const allowing = (guard: GuardName): typeof ALL_GUARDS => ({
  ...ALL_GUARDS,
  allowed: new Set([guard]),
});

describe("emptiesTooMany", () => {
  it.each([
    [{ rows: 20, emptied: 6 }, false],
    [{ rows: 20, emptied: 7 }, true],
    [{ rows: 19, emptied: 19 }, false],
    [{ rows: 1000, emptied: 301 }, true],
    [{ rows: 0, emptied: 0 }, false],
  ])("returns for %j whether too many stocks are emptied: %s", (counts, expected) => {
    expect(emptiesTooMany(counts, ALL_GUARDS)).toBe(expected);
  });

  it("passes emptied stocks where the guard is allowed", () => {
    expect(emptiesTooMany({ rows: 100, emptied: 100 }, allowing("zero-stock"))).toBe(false);
  });
});

const SOUND: FeedFacts = {
  rows: 100,
  lastRows: 100,
  ageMs: 1_000,
  maxAgeMs: 10_000,
  isCutOff: false,
  stock: { rows: 100, emptied: 0 },
  moved: 0,
  shifted: 0,
};

describe("judgeFeed", () => {
  const cases: readonly (readonly [Partial<FeedFacts>, ReturnType<typeof judgeFeed>])[] = [
    [{}, undefined],
    [{ rows: 0 }, "empty"],
    [{ isCutOff: true }, "cut-off"],
    [{ ageMs: 10_001 }, "stale"],
    [{ lastAgeMs: 999 }, "older"],
    [{ lastAgeMs: 1_000 }, undefined],
    [{ lastAgeMs: 999, maxAgeMs: undefined }, undefined],
    [{ shifted: 1 }, "shifted"],
    [{ moved: 1 }, "moved-values"],
    [{ ageMs: 10_001, maxAgeMs: undefined }, undefined],
    [{ ageMs: undefined }, undefined],
    [{ rows: 50 }, "few-rows"],
    [{ rows: 51 }, undefined],
    [{ rows: 1, lastRows: undefined }, undefined],
    [{ rows: 1, lastRows: 1 }, undefined],
    [{ stock: { rows: 100, emptied: 31 } }, "zero-stock"],
    [{ stock: { rows: 100, emptied: 30 } }, undefined],
    [{ stock: { rows: 19, emptied: 19 } }, undefined],
  ];
  for (const [change, expected] of cases) {
    it(`returns ${expected ?? "no refusal"} for ${JSON.stringify(change)}`, () => {
      expect(judgeFeed({ ...SOUND, ...change }, ALL_GUARDS)).toBe(expected);
    });
  }

  it("allows only the guards that are switched off", () => {
    const few = { ...SOUND, rows: 10 };
    const emptied = { ...SOUND, stock: { rows: 100, emptied: 100 } };

    expect(judgeFeed(few, allowing("few-rows"))).toBeUndefined();
    expect(judgeFeed(emptied, allowing("zero-stock"))).toBeUndefined();
    expect(judgeFeed(emptied, allowing("few-rows"))).toBe("zero-stock");
    expect(judgeFeed({ ...few, rows: 0 }, allowing("few-rows"))).toBe("empty");
  });
});
