import { describe, expect, it } from "vitest";

import { ALL_GUARDS, type GuardName } from "../../src/guards/guard-settings.ts";
import { emptiesTooMany } from "../../src/guards/run-guards.ts";

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
