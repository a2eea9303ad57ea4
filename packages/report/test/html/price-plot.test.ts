import { describe, expect, it } from "vitest";

import { plotPrices } from "../../src/html/price-changes.ts";
import { named, readPage } from "../helpers/read-page.ts";

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
