import { describe, expect, it } from "vitest";

import { countTicked, rowsBetween, tickRows, tickState } from "../../../client/grid/ticks.ts";

const order = Uint32Array.from([9, 4, 7, 2]);

describe("ticked rows", () => {
  it("keeps rows that another filter hides", () => {
    const ticked = tickRows(new Set([1, 4]), order, true);

    expect([...ticked].toSorted((one, other) => one - other)).toEqual([1, 2, 4, 7, 9]);
    expect([...tickRows(ticked, order, false)]).toEqual([1]);
  });

  for (const [ticked, isTicked, isMixed, count] of [
    [[], false, false, 0],
    [[4], false, true, 1],
    [[1], false, false, 0],
    [[2, 4, 7, 9, 1], true, false, 4],
  ] as const) {
    it(`shows the box of all rows where ${JSON.stringify(ticked)} are ticked`, () => {
      const set = new Set<number>(ticked);

      expect(tickState(set, order)).toEqual({ isTicked, isMixed });
      expect(countTicked(set, order)).toBe(count);
    });
  }

  it("ticks nothing where no row is listed", () => {
    expect(tickState(new Set([1]), [])).toEqual({ isTicked: false, isMixed: false });
  });

  for (const [from, to] of [
    [1, 3],
    [3, 1],
  ] as const) {
    it(`takes the rows from position ${from} to ${to}`, () => {
      expect(rowsBetween(order, from, to)).toEqual([4, 7, 2]);
    });
  }
});
