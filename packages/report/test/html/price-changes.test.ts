import { describe, expect, it } from "vitest";

import { createPriceChangeList, type PriceChanges } from "../../src/html/price-changes.ts";

function list(prices: readonly (readonly [unknown, number] | undefined)[]): PriceChanges {
  const changes = createPriceChangeList();
  for (const [index, pair] of prices.entries()) {
    changes.observe({
      row: index + 2,
      code: `KOD-${index}`,
      state: "held",
      action: "update",
      changes: [
        pair === undefined
          ? { field: "title", old: "a", new: "b" }
          : { field: "price", old: pair[0], new: pair[1] },
      ],
    });
  }
  return changes.list();
}

describe("createPriceChangeList", () => {
  it("lists the biggest change first, whether dearer or cheaper", () => {
    const { changes, total, unread } = list([[1000, 1100], [1000, 100_000], undefined, [1000, 5]]);

    expect(changes.map(({ code, percent }) => [code, Math.round(percent)])).toEqual([
      ["KOD-3", -99],
      ["KOD-1", 9900],
      ["KOD-0", 10],
    ]);
    expect([total, unread]).toEqual([3, 0]);
  });

  it("compares what buyers pay, and names the prices before the discount", () => {
    const row = { code: "K", state: "ready", action: "update" } as const;
    const price = { field: "price", old: 399_000, new: 355_189 };
    const changes = createPriceChangeList();
    changes.observe({ ...row, row: 2, changes: [price], paid: { old: 345_000, new: 345_000 } });
    changes.observe({ ...row, row: 3, changes: [price], paid: { old: 345_000 } });

    expect(changes.list().changes).toMatchObject([
      { row: 3, oldMinor: 399_000, newMinor: 355_189 },
      {
        row: 2,
        oldMinor: 345_000,
        newMinor: 345_000,
        percent: 0,
        list: { oldMinor: 399_000, newMinor: 355_189 },
      },
    ]);
  });

  it("counts a price whose old value is unknown, and lists no change for it", () => {
    expect(list([[undefined, 500]])).toEqual({ changes: [], total: 0, unread: 1 });
  });

  it("lists as many as a browser can draw, and counts all", () => {
    const { changes, total } = list(
      Array.from({ length: 4500 }, (_, index) => [1000, 1001 + index] as const),
    );

    expect(total).toBe(4500);
    expect(changes).toHaveLength(2000);
    expect(changes[0]?.newMinor).toBe(5500);
    expect(changes.at(-1)?.newMinor).toBe(3501);
  });
});
