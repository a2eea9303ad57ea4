import { describe, expect, it } from "vitest";

import {
  createPriceChangeList,
  plotPrices,
  type PriceChanges,
} from "../../src/html/price-changes.ts";
import { named, readPage } from "../helpers/read-page.ts";

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

const change = (oldMinor: number, newMinor: number) => ({
  row: 2,
  code: "K",
  oldMinor,
  newMinor,
  percent: 0,
  result: "held" as const,
});

describe("plotPrices", () => {
  it("draws nothing without changes", () => {
    expect(plotPrices([], "tr")).toBe("");
  });

  it("places each price between the powers of ten around it", () => {
    const page = readPage(plotPrices([change(1000, 100_000), change(100_000, 1000)], "tr"));

    const points = named(page, "circle").map(({ attributes: { class: kind, cx, cy } }) => ({
      kind,
      cx,
      cy,
    }));
    expect(points).toEqual([
      { kind: "rise", cx: "88", cy: "12" },
      { kind: "fall", cx: "488", cy: "412" },
    ]);
    expect(new Set(named(page, "text").map(({ text }) => text))).toEqual(
      new Set(["10", "100", "1.000", "Eski fiyat", "Yeni fiyat"]),
    );
  });

  it("labels its axes so briefly that no label overlaps another", () => {
    const page = readPage(plotPrices([change(1, 10_000_000_000)], "tr"));

    const labels = new Set(named(page, "text").map(({ text }) => text));
    expect([...labels].slice(0, 11)).toEqual(
      "0,01|0,10|1|10|100|1.000|10.000|100.000|1 Mn|10 Mn|100 Mn".split("|"),
    );
  });

  it("draws a single price, and the smallest price", () => {
    const svg = plotPrices([change(1, 0), change(1, 1)], "en");

    expect(svg).not.toMatch(/NaN|Infinity/u);
  });
});
