import { describe, expect, it } from "vitest";

import { sortByTime, isWithinPeriod } from "../../src/history.ts";

describe("isWithin", () => {
  it.each([
    [{}, true],
    [{ start_date: 100 }, true],
    [{ start_date: 101 }, false],
    [{ end_date: 100 }, true],
    [{ end_date: 99 }, false],
    [{ start_date: 1, end_date: 99 }, false],
    [{ date_created: 0 }, true],
    [{ date_created: -3 * 3600 }, true],
    [{ date_created: -3 * 3600 - 1 }, false],
    [{ date_created: 21 * 3600 - 1 }, true],
    [{ date_created: 21 * 3600 }, false],
  ])("compares whole seconds, and days in Türkiye: %o is %s", (query, expected) => {
    expect(isWithinPeriod(100_999, query)).toBe(expected);
  });
});

describe("inOrder", () => {
  it("puts the newest first unless the query asks for the oldest", () => {
    expect(sortByTime([1, 2])).toEqual([2, 1]);
    expect(sortByTime([1, 2], "descending")).toEqual([2, 1]);
    expect(sortByTime([1, 2], "ascending")).toEqual([1, 2]);
  });
});
