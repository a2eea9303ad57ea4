import { describe, expect, it } from "vitest";

import { blockToClick, extendBlock, placeTexts, toBounds } from "../../../client/grid/blocks.ts";

const SIZE = { rows: 10, columns: 5 };

describe("extendBlock", () => {
  it("moves the head and keeps the anchor", () => {
    const block = { anchor: { row: 3, column: 2 }, head: { row: 3, column: 2 } };

    const extended = extendBlock(extendBlock(block, "ArrowUp", SIZE), "ArrowRight", SIZE);

    expect(toBounds(extended)).toEqual({ top: 2, bottom: 3, left: 2, right: 3 });
    expect(extended.anchor).toEqual(block.anchor);
  });

  it("stays in the view and off the number of the row", () => {
    const corner = { row: 0, column: 1 };
    const block = { anchor: corner, head: corner };

    expect(extendBlock(block, "ArrowUp", SIZE).head).toEqual(corner);
    expect(extendBlock(block, "ArrowLeft", SIZE).head).toEqual(corner);
  });
});

describe("placeTexts", () => {
  it("puts one text into every cell of the block", () => {
    const bounds = { top: 1, bottom: 2, left: 1, right: 2 };

    const placed = placeTexts(bounds, [["x"]], SIZE);

    expect(placed.map(({ row, column }) => [row, column])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
    ]);
  });

  it("puts a table at the corner and leaves out what lies outside", () => {
    const bounds = { top: 9, bottom: 9, left: 4, right: 4 };

    const placed = placeTexts(
      bounds,
      [
        ["a", "b"],
        ["c", "d"],
      ],
      SIZE,
    );

    expect(placed).toEqual([{ row: 9, column: 4, value: "a" }]);
  });
});

it("takes whole rows from the number of one to that of another, and cells to a cell", () => {
  const block = { anchor: { row: 1, column: 0 }, head: { row: 1, column: 0 } };

  expect(blockToClick(block, { row: 4, column: 0 }, 6)).toEqual({
    anchor: { row: 1, column: 1 },
    head: { row: 4, column: 5 },
  });
  expect(blockToClick(block, { row: 3, column: 2 }, 6).head).toEqual({ row: 3, column: 2 });
});
