import { expect, it } from "vitest";

import { findChange } from "../../../client/grid/blocks.ts";
import type { RowView } from "../../../src/api/index.ts";

const view = (row: number, cells: readonly string[], isExcluded = false): RowView => ({
  row,
  name: String(row),
  cells,
  edited: [],
  isExcluded,
  readAs: [],
  numbers: [],
  issues: [],
});

const before = new Map([
  [2, view(2, ["A", "1"])],
  [3, view(3, ["B", "2"])],
]);
const find = (after: readonly RowView[]) => findChange(after, (row) => before.get(row));

it("finds the first cell that an undo has changed", () => {
  expect(find([view(2, ["A", "1"]), view(3, ["B", "5"])])).toEqual({ row: 3, column: 1 });
  expect(find([view(2, ["A", "1"])])).toBeUndefined();
});

it("finds the row that was left out or put back", () => {
  expect(find([view(3, ["B", "2"], true)])).toEqual({ row: 3, column: null });
  expect(find([view(9, ["B"])])).toBeUndefined();
});
