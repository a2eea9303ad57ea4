import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { formatRowLine, parseRowLine } from "../../src/xlsx/reader-protocol.ts";

describe("a row line", () => {
  it("is one line and gives the row back, numbers to the last bit", () => {
    const cell = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
      fc.boolean(),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1 }), fc.array(cell), (row, cells) => {
        const line = formatRowLine({ row, cells, traits: { 1: "date" } });

        expect(line.indexOf("\n")).toBe(line.length - 1);
        expect(parseRowLine(line.slice(0, -1))).toEqual({ row, cells, traits: { 1: "date" } });
      }),
    );
  });

  it("has no traits where the row has none", () => {
    expect(parseRowLine(formatRowLine({ row: 1, cells: ["a"] }))).toEqual({ row: 1, cells: ["a"] });
  });
});
