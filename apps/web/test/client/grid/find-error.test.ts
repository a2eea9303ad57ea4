import { describe, expect, it } from "vitest";

import { findErrorColumn, findErrorPosition } from "../../../client/grid/blocks.ts";

const ORDER = Uint32Array.from([10, 20, 30, 40]);

describe("findErrorPosition", () => {
  const cases = [
    [-1, 1, 1],
    [1, 1, 3],
    [3, 1, 1],
    [1, -1, 3],
    [0, -1, 3],
  ] as const;
  for (const [from, step, expected] of cases) {
    it(`goes from ${from} by ${step} to ${expected}`, () => {
      expect(findErrorPosition(ORDER, new Set([20, 40]), from, step)).toBe(expected);
    });
  }

  it("finds nothing where no row of the view has an error", () => {
    expect(findErrorPosition(ORDER, new Set([99]), 0, 1)).toBeNull();
  });

  it("comes back to the only row with an error", () => {
    expect(findErrorPosition(ORDER, new Set([30]), 2, 1)).toBe(2);
  });
});

describe("findErrorColumn", () => {
  it("takes the nearest column in the direction", () => {
    expect(findErrorColumn([7, 2, 4], 2, 1)).toBe(4);
    expect(findErrorColumn([7, 2, 4], 7, -1)).toBe(4);
    expect(findErrorColumn([2], 2, 1)).toBeNull();
  });
});
